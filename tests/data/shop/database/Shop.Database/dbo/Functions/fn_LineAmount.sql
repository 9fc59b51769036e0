CREATE FUNCTION [dbo].[fn_LineAmount]
(
    @Quantity        INT,
    @UnitPrice       DECIMAL (12, 2),
    @DiscountPercent DECIMAL (5, 2)
)
RETURNS DECIMAL (12, 2)
WITH SCHEMABINDING
AS
BEGIN
    -- Rounded per line, not per invoice: that is how Invoice.Totals.cs does it, too.
    RETURN ROUND(@Quantity * @UnitPrice * (1 - @DiscountPercent / 100.0), 2);
END;
