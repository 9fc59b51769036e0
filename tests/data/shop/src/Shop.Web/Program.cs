using Microsoft.EntityFrameworkCore;
using Shop.Core.Abstractions;
using Shop.Core.Import;
using Shop.Core.Services;
using Shop.Data;
using Shop.Data.Catalog;
using Shop.Data.Legacy;
using Shop.Data.Repositories;
using Shop.Web.Jobs;

var builder = WebApplication.CreateBuilder(args);
var connectionString = builder.Configuration.GetConnectionString("Shop")
    ?? throw new InvalidOperationException("Set ConnectionStrings:Shop in appsettings.json.");

// dotnet run -- legacy-import kunden.txt
if (args is ["legacy-import", var path])
{
    var import = new LegacyImport(connectionString);
    import.Fortschritt += Console.WriteLine;
    Console.WriteLine($"{import.Run(path)} customers added");
    return;
}

builder.Services.AddControllersWithViews();
builder.Services.AddRazorPages();
builder.Services.AddServerSideBlazor();

builder.Services.AddDbContext<ShopDbContext>(options => options.UseSqlServer(connectionString));
builder.Services.AddSingleton<ISqlConnectionFactory>(new SqlConnectionFactory(connectionString));
builder.Services.AddSingleton(TimeProvider.System);

AddRepositories(builder.Services);
builder.Services.AddScoped<IInvoiceService, InvoiceService>();
builder.Services.AddScoped<IOrderService, OrderService>();
builder.Services.AddScoped<ICatalogService, CatalogService>();
builder.Services.AddScoped<DunningService>();
builder.Services.AddSingleton<PaymentMatcher>();

builder.Services.Configure<DunningOptions>(builder.Configuration.GetSection(DunningOptions.Section));
builder.Services.AddHostedService<DunningJob>();

var app = builder.Build();

#if DEBUG
app.UseDeveloperExceptionPage();
#else
app.UseExceptionHandler("/error");
app.UseHsts();
#endif

app.UseStaticFiles();
app.UseRouting();

app.MapControllers();
app.MapDefaultControllerRoute();
app.MapRazorPages();
app.MapBlazorHub();

var api = app.MapGroup("/api");

api.MapGet("/reports/aged-receivables", async (DateOnly? asOf, string? currency, IReportRepository reports, CancellationToken cancellationToken) =>
    Results.Ok(await reports.AgedReceivablesAsync(asOf, currency, cancellationToken)));

api.MapGet("/customers", async (string q, ICustomerRepository customers, CancellationToken cancellationToken) =>
    q.Length < 2 ? Results.BadRequest("Type at least two letters.") : Results.Ok(await customers.FindByNameAsync(q, cancellationToken)));

api.MapPost("/dunning/run", RunDunningAsync);

api.MapPost("/orders/import", ImportOrdersAsync).DisableAntiforgery();

api.MapGet("/prices/{productId:int}", async (int productId, int? customerId, ICatalogService catalog, TimeProvider clock) =>
{
    var today = DateOnly.FromDateTime(clock.GetUtcNow().UtcDateTime);
    return Results.Ok(new { productId, price = await catalog.GetPriceAsync(productId, customerId, today) });
});

app.Run();

static void AddRepositories(IServiceCollection services)
{
    services.AddScoped<ICustomerRepository, CustomerRepository>();
    services.AddScoped<IOrderRepository, OrderRepository>();
    services.AddScoped<IInvoiceRepository, InvoiceRepository>();
    services.AddScoped<IPaymentRepository, PaymentRepository>();
    services.AddScoped<IDunningRepository, DunningRepository>();
    services.AddScoped<IReportRepository, ReportRepository>();
    services.AddScoped<PriceRepository>();
    services.AddScoped<InvoiceArchiveRepository>();
}

// A dry run unless asked otherwise: the letters cannot be called back.
static async Task<IResult> RunDunningAsync(DunningService dunning, TimeProvider clock, bool dryRun = true)
{
    var today = DateOnly.FromDateTime(clock.GetUtcNow().UtcDateTime);
    return Results.Ok(await dunning.RunAsync(today, dryRun));
}

// The CSV files of the Polish customers. All or nothing: with one bad line no order is placed.
static async Task<IResult> ImportOrdersAsync(
    IFormFile file,
    ShopDbContext db,
    ICustomerRepository customers,
    IOrderService orderService,
    CancellationToken cancellationToken)
{
    var productIds = await db.Products
        .Where(product => !product.IsDiscontinued)
        .ToDictionaryAsync(product => product.Sku, product => product.ProductId, cancellationToken);

    using var reader = new StreamReader(file.OpenReadStream());
    var result = await new ZamówienieImporter(customers, productIds).ImportAsync(reader, cancellationToken);
    if (!result.Powodzenie)
    {
        return Results.UnprocessableEntity(result.Błędy);
    }

    var orderIds = new List<int>();
    foreach (var order in result.Zamówienia)
    {
        orderIds.Add((await orderService.PlaceAsync(order, cancellationToken)).OrderId);
    }

    return Results.Ok(orderIds);
}

/// <summary>Public so that tests can start the application.</summary>
public partial class Program;
