using System.ComponentModel.DataAnnotations;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;
using Shop.Core.Entities;
using Shop.Core.Services;

namespace Shop.Web.Pages.Invoices;

public class DetailsModel(IInvoiceService invoices, DunningService dunning) : PageModel
{
    public Invoice Invoice { get; private set; } = null!;

    [BindProperty, Required, StringLength(200)]
    public string Reason { get; set; } = "";

    public async Task<IActionResult> OnGetAsync(int id)
    {
        try
        {
            Invoice = await invoices.GetAsync(id);
            return Page();
        }
        catch (NotFoundException)
        {
            return NotFound();
        }
    }

    public async Task<IActionResult> OnPostCancelAsync(int id)
    {
        if (!ModelState.IsValid)
        {
            return await OnGetAsync(id);
        }

        var creditNoteId = await invoices.CancelAsync(id, Reason);
        return RedirectToPage(new { id = creditNoteId });
    }

    public async Task<IActionResult> OnPostForgiveAsync(int id)
    {
        await dunning.ForgiveAsync(id);
        return RedirectToPage(new { id });
    }
}
