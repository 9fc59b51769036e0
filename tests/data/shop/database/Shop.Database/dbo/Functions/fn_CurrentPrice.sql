-- The customer's own price, else the list price of the day, else the price of the product.
CREATE FUNCTION [dbo].[fn_CurrentPrice]
(
    @ProductId  INT,
    @CustomerId INT,
    @OnDate     DATE
)
RETURNS DECIMAL (12, 2)
AS
BEGIN
    DECLARE @Price DECIMAL (12, 2);

    SELECT TOP (1) @Price = item.[Price]
    FROM [sales].[PriceListItem] AS item
    WHERE item.[ProductId] = @ProductId
      AND (item.[CustomerId] = @CustomerId OR item.[CustomerId] IS NULL)
      AND item.[ValidFrom] <= @OnDate
      AND (item.[ValidTo] IS NULL OR item.[ValidTo] >= @OnDate)
    ORDER BY CASE WHEN item.[CustomerId] IS NULL THEN 1 ELSE 0 END, item.[ValidFrom] DESC;

    IF @Price IS NULL
        SELECT @Price = [UnitPrice] FROM [dbo].[Product] WHERE [ProductId] = @ProductId;

    RETURN @Price;
END;
