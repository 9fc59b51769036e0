using Microsoft.AspNetCore.Mvc;
using Shop.Core.Abstractions;
using Shop.Core.Extensions;
using Shop.Core.Models;
using Shop.Core.Services;
using Shop.Data.Repositories;
using Shop.Web.Models;

namespace Shop.Web.Controllers;

/// <summary>Invoices for the intranet and for the accounting software.</summary>
[ApiController]
[Route("api/invoices")]
public sealed class InvoiceController(
    IInvoiceService invoiceService,
    IInvoiceRepository invoices,
    InvoiceArchiveRepository archive) : ControllerBase
{
    [HttpGet]
    public async Task<ActionResult<IReadOnlyList<InvoiceSummary>>> Search([FromQuery] InvoiceFilter filter, CancellationToken cancellationToken) =>
        Ok(await invoices.SearchAsync(filter, cancellationToken));

    [HttpGet("{id:int}")]
    public async Task<ActionResult<InvoiceDto>> Get(int id, CancellationToken cancellationToken)
    {
        try
        {
            var invoice = await invoiceService.GetAsync(id, cancellationToken);
            return InvoiceDto.From(invoice, invoice.OpenBalance().ToString());
        }
        catch (NotFoundException)
        {
            var archived = await archive.FindNumberAsync(id, cancellationToken);
            return archived is null ? NotFound() : StatusCode(StatusCodes.Status410Gone, $"{archived} is in the archive.");
        }
    }

    [HttpGet("overdue")]
    public IAsyncEnumerable<InvoiceSummary> Overdue(decimal minimum = 0m, CancellationToken cancellationToken = default) =>
        invoiceService.GetOverdueAsync(minimum, cancellationToken);

    /// <summary>Makes the invoice of an order; asking twice gives the same invoice.</summary>
    [HttpPost]
    public async Task<IActionResult> Create(CreateInvoiceRequest request, CancellationToken cancellationToken)
    {
        var id = request.IssuedOn is { } issuedOn
            ? await invoiceService.CreateFromOrderAsync(request.OrderId, issuedOn, cancellationToken)
            : await invoiceService.CreateFromOrderAsync(request.OrderId, cancellationToken);
        return CreatedAtAction(nameof(Get), new { id }, new { id });
    }

    [HttpPost("{id:int}/cancel")]
    public async Task<IActionResult> Cancel(int id, CancelInvoiceRequest request, CancellationToken cancellationToken)
    {
        var creditNoteId = await invoiceService.CancelAsync(id, request.Reason, cancellationToken);
        return Ok(new { creditNoteId });
    }

    [HttpPost("archive")]
    public async Task<IActionResult> Archive(DateOnly olderThan, CancellationToken cancellationToken) =>
        Ok(new { archived = await archive.ArchiveAsync(olderThan, cancellationToken) });
}
