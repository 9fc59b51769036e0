-- What a mirror of the vectors is compared with: see the macro vectors_fingerprint().
insert into ragduck_meta values ('vectors_fingerprint', vectors_fingerprint());
