create procedure dbo.Stock_Release
	@OrderId int
as
begin
	set nocount on;

	update s
	set Reserved  = case when s.Reserved < l.Quantity then 0 else s.Reserved - l.Quantity end,
	    UpdatedAt = sysutcdatetime()
	output inserted.ProductId, inserted.Reserved - deleted.Reserved, 'release'
	into audit.StockMovement (ProductId, Delta, Reason)
	from dbo.StockLevel s
	join (select ProductId, sum(Quantity) as Quantity from dbo.OrderLine where OrderId = @OrderId group by ProductId) l
		on l.ProductId = s.ProductId;
end
