-- A hash of the form that made a drop, so that the same form can be told from another one with the same key (ADR 0037).
ALTER TABLE "Drop" ADD COLUMN "creationHash" TEXT;
