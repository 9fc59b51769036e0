CREATE SCHEMA [sales] AUTHORIZATION [dbo];
GO

-- Written by triggers and procedures only; the web application has no rights here.
CREATE SCHEMA [audit] AUTHORIZATION [dbo];
GO
