using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;
using Shop.Core.Models;
using Shop.Core.Services;
using Shop.Data;
using Shop.Web.Models;

namespace Shop.Web.Controllers;

/// <summary>The order desk: Views/Order.</summary>
public class OrderController : Controller
{
    private readonly IOrderService _orderService;
    private readonly ShopDbContext _db;

    public OrderController(IOrderService orderService, ShopDbContext db)
    {
        _orderService = orderService;
        _db = db;
    }

    public async Task<IActionResult> Details(int id, CancellationToken cancellationToken)
    {
        var order = await _db.Orders
            .Include(o => o.Customer)
            .Include(o => o.Lines)
            .ThenInclude(line => line.Product)
            .AsNoTracking()
            .SingleOrDefaultAsync(o => o.OrderId == id, cancellationToken);

        return order is null ? NotFound() : View(order);
    }

    [HttpGet]
    public IActionResult Create(int customerId) => View(new OrderFormModel { CustomerId = customerId, Lines = [new()] });

    [HttpPost, ValidateAntiForgeryToken]
    public async Task<IActionResult> Create(OrderFormModel form, CancellationToken cancellationToken)
    {
        if (!ModelState.IsValid)
        {
            return View(form);
        }

        try
        {
            var placed = await _orderService.PlaceAsync(
                new NewOrder(
                    form.CustomerId,
                    form.Lines.Select(line => new NewOrderLine(line.ProductId, line.Quantity)).ToList(),
                    form.PurchaseReference,
                    form.InvoiceNow),
                cancellationToken);
            return RedirectToAction(nameof(Details), new { id = placed.OrderId });
        }
        catch (InvalidOperationException exception)
        {
            ModelState.AddModelError("", exception.Message);
            return View(form);
        }
    }
}
