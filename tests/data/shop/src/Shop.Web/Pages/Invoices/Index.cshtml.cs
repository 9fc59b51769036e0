using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.EntityFrameworkCore;
using Shop.Core.Abstractions;
using Shop.Core.Models;
using Shop.Data;

namespace Shop.Web.Pages.Invoices;

public class IndexModel(IInvoiceRepository invoices, ShopDbContext db) : PageModel
{
    [BindProperty(SupportsGet = true)]
    public InvoiceFilter Filter { get; set; } = new();

    public IReadOnlyList<InvoiceSummary> Invoices { get; private set; } = [];

    public int OverdueCount { get; private set; }

    public async Task OnGetAsync(CancellationToken cancellationToken)
    {
        Invoices = await invoices.SearchAsync(Filter, cancellationToken);

        var today = DateOnly.FromDateTime(DateTime.UtcNow);
        OverdueCount = await db.InvoiceBalances.CountAsync(b => b.OpenAmount > 0 && b.DueDate < today, cancellationToken);
    }
}
