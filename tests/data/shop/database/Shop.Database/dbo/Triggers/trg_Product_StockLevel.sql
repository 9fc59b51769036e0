create trigger dbo.trg_Product_StockLevel on dbo.Product after insert
as
begin
	set nocount on;

	insert into dbo.StockLevel (ProductId)
	select i.ProductId
	from inserted i
	where not exists (select 1 from dbo.StockLevel s where s.ProductId = i.ProductId);
end
