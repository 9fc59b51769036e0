CREATE PROCEDURE [sales].[PriceListItem_ReadById]
    @Id INT
AS
SET NOCOUNT ON;
SELECT [PriceListItemId], [PriceList], [ProductId], [CustomerId], [Price], [ValidFrom], [ValidTo]
FROM [sales].[PriceListItem]
WHERE [PriceListItemId] = @Id;
