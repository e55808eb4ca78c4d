-- Audit rows are kept forever, so only those of administrators keep an IP address (lib/platform/record-audit.ts).
ALTER TABLE "AuditEntry" DISABLE TRIGGER "AuditEntry_append_only";
UPDATE "AuditEntry" SET "ip" = '' WHERE "actorKind" <> 'admin' AND "ip" <> '';
ALTER TABLE "AuditEntry" ENABLE TRIGGER "AuditEntry_append_only";
