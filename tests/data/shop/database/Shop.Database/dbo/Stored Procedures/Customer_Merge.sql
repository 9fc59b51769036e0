-- Folds a customer who was entered twice into the other one.
CREATE PROCEDURE [dbo].[Customer_Merge]
    @KeepCustomerId INT,
    @DropCustomerId INT
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;

    IF @KeepCustomerId = @DropCustomerId
        RETURN;

    BEGIN TRANSACTION;

    UPDATE [dbo].[Order]   SET [CustomerId] = @KeepCustomerId WHERE [CustomerId] = @DropCustomerId;
    UPDATE [dbo].[Invoice] SET [CustomerId] = @KeepCustomerId WHERE [CustomerId] = @DropCustomerId;
    UPDATE [dbo].[Payment] SET [CustomerId] = @KeepCustomerId WHERE [CustomerId] = @DropCustomerId;

    -- A price both have stays as the kept customer has it.
    DELETE doubled
    FROM [sales].[PriceListItem] AS doubled
        INNER JOIN [sales].[PriceListItem] AS kept
            ON kept.[ProductId] = doubled.[ProductId] AND kept.[ValidFrom] = doubled.[ValidFrom]
    WHERE doubled.[CustomerId] = @DropCustomerId
      AND kept.[CustomerId] = @KeepCustomerId;

    UPDATE [sales].[PriceListItem] SET [CustomerId] = @KeepCustomerId WHERE [CustomerId] = @DropCustomerId;

    UPDATE [dbo].[Customer] SET [PrimaryContactId] = NULL WHERE [CustomerId] = @DropCustomerId;
    UPDATE [dbo].[CustomerContact] SET [CustomerId] = @KeepCustomerId WHERE [CustomerId] = @DropCustomerId;
    DELETE FROM [dbo].[Customer] WHERE [CustomerId] = @DropCustomerId;

    COMMIT TRANSACTION;
END;
