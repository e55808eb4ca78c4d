-- Every sign-up looks for links that may still give an account back to the new email address (ADR 0051).
CREATE INDEX "Token_undo_email_idx" ON "Token" ("email") WHERE "purpose" = 'emailUndo' AND "usedAt" IS NULL;
