using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;
using Shop.Core.Abstractions;
using Shop.Core.Entities;
using Shop.Core.Models;
using Shop.Core.Services;
using Shop.Data;
using Shop.Web.Models;

namespace Shop.Web.Controllers;

[ApiController]
[Route("api/payments")]
public sealed class PaymentController(IPaymentRepository payments, PaymentMatcher matcher, ShopDbContext db) : ControllerBase
{
    /// <summary>Takes a bank statement as the import tool sends it.</summary>
    [HttpPost("import")]
    public async Task<ActionResult<ImportResult>> Import(List<BankTransaction> transactions, CancellationToken cancellationToken) =>
        transactions.Count == 0 ? BadRequest("The statement is empty.") : await payments.ImportAsync(transactions, cancellationToken);

    [HttpGet("unmatched")]
    public async Task<IReadOnlyList<Payment>> Unmatched(CancellationToken cancellationToken) =>
        await db.Payments.Where(p => p.InvoiceId == null).OrderBy(p => p.ReceivedOn).AsNoTracking().ToListAsync(cancellationToken);

    [HttpGet("{id:int}/proposal")]
    public async Task<IActionResult> Proposal(int id, CancellationToken cancellationToken)
    {
        var payment = await db.Payments.FindAsync([id], cancellationToken);
        if (payment is null)
        {
            return NotFound();
        }

        if (await payments.RematchAsync(id, cancellationToken))
        {
            return Ok(new { quality = nameof(MatchQuality.Certain), booked = true });
        }

        var open = await db.Invoices
            .Include(i => i.Payments)
            .Where(i => (i.Status == InvoiceStatus.Issued || i.Status == InvoiceStatus.PartiallyPaid) && i.Currency == payment.Currency)
            .ToListAsync(cancellationToken);

        var match = matcher.Match(payment, open);
        return Ok(new { match.Invoice?.InvoiceId, quality = match.Quality.ToString(), booked = false });
    }

    /// <summary>The clerk has decided.</summary>
    [HttpPut("{id:int}/invoice")]
    public async Task<IActionResult> Assign(int id, AssignPaymentRequest request, CancellationToken cancellationToken)
    {
        var payment = await db.Payments.SingleAsync(p => p.PaymentId == id, cancellationToken);
        var invoice = await db.Invoices.Include(i => i.Payments).SingleAsync(i => i.InvoiceId == request.InvoiceId, cancellationToken);

        invoice.ApplyPayment(payment);
        await db.SaveChangesAsync(cancellationToken);
        return NoContent();
    }
}
