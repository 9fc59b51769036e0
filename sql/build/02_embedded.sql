-- Contents of which the live file has vectors, while these stay where they are.
insert into stage.embedded
select distinct content_hash from live.documents where sign_0 is not null;
