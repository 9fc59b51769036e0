-- NO CACHE: the tax office wants invoice numbers without gaps, a restart must not burn fifty of them.
CREATE SEQUENCE [dbo].[InvoiceNumberSeq]
    AS BIGINT
    START WITH 1000
    INCREMENT BY 1
    NO CACHE;
