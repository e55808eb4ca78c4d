-- This file has exact copies of the migrations that prisma/earlier/20261122080000_start replaced, in their order. The
-- tests of prisma/carry-over.mjs use them (tests/support/earlier-database.ts). A line "-- migration" begins each copy.
-- migration: 20261120210000_init
-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "TokenPurpose" AS ENUM ('passwordReset', 'emailConfirm', 'emailChange');

-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('active', 'pastDue', 'canceled');

-- CreateEnum
CREATE TYPE "Plan" AS ENUM ('free', 'pro');

-- CreateEnum
CREATE TYPE "ProductType" AS ENUM ('physical', 'digital', 'service');

-- CreateEnum
CREATE TYPE "ModerationState" AS ENUM ('allowed', 'review', 'refused');

-- CreateEnum
CREATE TYPE "DigitalSource" AS ENUM ('link', 'upload');

-- CreateEnum
CREATE TYPE "CheckoutDoor" AS ENUM ('hosted', 'embedded');

-- CreateEnum
CREATE TYPE "HoldState" AS ENUM ('held', 'sold', 'released');

-- CreateEnum
CREATE TYPE "OrderStatus" AS ENUM ('pending', 'paid', 'shipped', 'delivered', 'done', 'refunded', 'disputed', 'expired');

-- CreateEnum
CREATE TYPE "RefundState" AS ENUM ('requested', 'pending', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "TransferState" AS ENUM ('waiting', 'sent', 'reversed');

-- CreateEnum
CREATE TYPE "ReviewState" AS ENUM ('open', 'allowed', 'refused');

-- CreateTable
CREATE TABLE "User" (
    "id" SERIAL NOT NULL,
    "username" TEXT,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailConfirmedAt" TIMESTAMPTZ(3),
    "passwordHash" TEXT NOT NULL,
    "profileImageUrl" TEXT,
    "plan" "Plan" NOT NULL DEFAULT 'free',
    "planIntent" "Plan",
    "isAdmin" BOOLEAN NOT NULL DEFAULT false,
    "isSuspended" BOOLEAN NOT NULL DEFAULT false,
    "suspendedUntil" TIMESTAMPTZ(3),
    "suspensionReason" TEXT,
    "isVerified" BOOLEAN NOT NULL DEFAULT false,
    "emailNotifications" BOOLEAN NOT NULL DEFAULT true,
    "marketingEmails" BOOLEAN NOT NULL DEFAULT false,
    "analytics" BOOLEAN NOT NULL DEFAULT true,
    "autoRenewDrops" BOOLEAN NOT NULL DEFAULT false,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "usernameChangedAt" TIMESTAMPTZ(3),
    "stripeCustomerId" TEXT,
    "stripeAccountId" TEXT,
    "payoutsReadyAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "userId" INTEGER NOT NULL,
    "userAgent" TEXT NOT NULL DEFAULT '',
    "ip" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "stepUpAt" TIMESTAMPTZ(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Token" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "purpose" "TokenPurpose" NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "email" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TotpCredential" (
    "userId" INTEGER NOT NULL,
    "secretEncrypted" TEXT NOT NULL,
    "confirmedAt" TIMESTAMPTZ(3),
    "lastUsedStep" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "TotpCredential_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "codeHash" TEXT NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReservedUsername" (
    "username" TEXT NOT NULL,
    "userId" INTEGER,
    "redirectsUntil" TIMESTAMPTZ(3) NOT NULL,
    "reservedUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReservedUsername_pkey" PRIMARY KEY ("username")
);

-- CreateTable
CREATE TABLE "Subscription" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "stripeSubscriptionId" TEXT NOT NULL,
    "status" "SubscriptionStatus" NOT NULL,
    "billingPeriod" TEXT NOT NULL,
    "currentPeriodEnd" TIMESTAMPTZ(3) NOT NULL,
    "cancelAtPeriodEnd" BOOLEAN NOT NULL DEFAULT false,
    "firstPaidAt" TIMESTAMPTZ(3),
    "graceUntil" TIMESTAMPTZ(3),
    "moneyBackAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Drop" (
    "id" SERIAL NOT NULL,
    "uniqueId" TEXT NOT NULL,
    "customSlug" TEXT,
    "userId" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "productType" "ProductType" NOT NULL,
    "priceCents" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "sold" INTEGER NOT NULL DEFAULT 0,
    "held" INTEGER NOT NULL DEFAULT 0,
    "duration" INTEGER NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endTime" TIMESTAMPTZ(3) NOT NULL,
    "run" INTEGER NOT NULL DEFAULT 1,
    "shippingNote" TEXT NOT NULL DEFAULT '',
    "views" INTEGER NOT NULL DEFAULT 0,
    "purchases" INTEGER NOT NULL DEFAULT 0,
    "isActive" BOOLEAN NOT NULL DEFAULT true,
    "isFeatured" BOOLEAN NOT NULL DEFAULT false,
    "isPinned" BOOLEAN NOT NULL DEFAULT false,
    "moderation" "ModerationState" NOT NULL DEFAULT 'allowed',
    "archivedAt" TIMESTAMPTZ(3),
    "hiddenAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Drop_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DropRun" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "sold" INTEGER NOT NULL DEFAULT 0,
    "isAutoRenew" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endTime" TIMESTAMPTZ(3) NOT NULL,
    "closedAt" TIMESTAMPTZ(3),

    CONSTRAINT "DropRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DropImage" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "widths" INTEGER[],
    "placeholder" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DropImage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DigitalFile" (
    "dropId" INTEGER NOT NULL,
    "source" "DigitalSource" NOT NULL,
    "url" TEXT,
    "storageKey" TEXT,
    "fileName" TEXT NOT NULL,
    "contentType" TEXT,
    "bytes" BIGINT,
    "sha256" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DigitalFile_pkey" PRIMARY KEY ("dropId")
);

-- CreateTable
CREATE TABLE "StoredObject" (
    "key" TEXT NOT NULL,
    "ownerId" INTEGER,
    "bytes" BIGINT NOT NULL,
    "sha256" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimedAt" TIMESTAMPTZ(3),

    CONSTRAINT "StoredObject_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "DropView" (
    "dropId" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "visitor" TEXT NOT NULL,
    "source" TEXT NOT NULL DEFAULT 'direct',

    CONSTRAINT "DropView_pkey" PRIMARY KEY ("dropId","day","visitor")
);

-- CreateTable
CREATE TABLE "WaitlistEntry" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3),
    "notifiedAt" TIMESTAMPTZ(3),
    "unsubscribedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WaitlistEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Hold" (
    "id" TEXT NOT NULL,
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "door" "CheckoutDoor" NOT NULL,
    "buyerKey" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "state" "HoldState" NOT NULL DEFAULT 'held',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "settledAt" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "Hold_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Order" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "holdId" TEXT NOT NULL,
    "dropId" INTEGER NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "status" "OrderStatus" NOT NULL DEFAULT 'pending',
    "dropTitle" TEXT NOT NULL,
    "productType" "ProductType" NOT NULL,
    "quantity" INTEGER NOT NULL,
    "unitPriceCents" INTEGER NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "platformFeeBps" INTEGER NOT NULL,
    "platformFeeCents" INTEGER NOT NULL,
    "sellerPayoutCents" INTEGER NOT NULL,
    "sellerPlan" "Plan" NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'usd',
    "cardFeeCents" INTEGER,
    "refundedCents" INTEGER NOT NULL DEFAULT 0,
    "stripeSessionId" TEXT,
    "stripePaymentIntentId" TEXT,
    "stripeChargeId" TEXT,
    "checkoutUrl" TEXT,
    "buyerEmail" TEXT,
    "buyerName" TEXT,
    "buyerPhone" TEXT,
    "shipName" TEXT,
    "shipLine1" TEXT,
    "shipLine2" TEXT,
    "shipCity" TEXT,
    "shipState" TEXT,
    "shipPostalCode" TEXT,
    "shipCountry" TEXT,
    "carrier" TEXT,
    "trackingNumber" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paidAt" TIMESTAMPTZ(3),
    "shippedAt" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "disputedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Order_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Refund" (
    "id" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "platformFeeCents" INTEGER NOT NULL,
    "state" "RefundState" NOT NULL DEFAULT 'pending',
    "reason" TEXT NOT NULL,
    "isRestocked" BOOLEAN NOT NULL DEFAULT false,
    "requestedBy" TEXT NOT NULL,
    "stripeRefundId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settledAt" TIMESTAMPTZ(3),

    CONSTRAINT "Refund_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Transfer" (
    "id" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reversedCents" INTEGER NOT NULL DEFAULT 0,
    "state" "TransferState" NOT NULL DEFAULT 'waiting',
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "stripeTransferId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Transfer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Dispute" (
    "id" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "stripeDisputeId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Dispute_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Download" (
    "id" SERIAL NOT NULL,
    "orderId" TEXT NOT NULL,
    "ip" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Download_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookEvent" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "objectId" TEXT NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "handledAt" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "WebhookEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OutboxMail" (
    "id" SERIAL NOT NULL,
    "dedupeKey" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sendAfter" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,

    CONSTRAINT "OutboxMail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ModerationReview" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "category" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "details" TEXT NOT NULL DEFAULT '',
    "state" "ReviewState" NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decidedAt" TIMESTAMPTZ(3),
    "decidedBy" INTEGER,

    CONSTRAINT "ModerationReview_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Strike" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "dropId" INTEGER,
    "category" TEXT NOT NULL,
    "isSevere" BOOLEAN NOT NULL DEFAULT false,
    "createdBy" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Strike_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" SERIAL NOT NULL,
    "actorId" INTEGER,
    "actorKind" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "targetType" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "ip" TEXT NOT NULL DEFAULT '',
    "requestId" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PlatformSettings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "isActive" BOOLEAN NOT NULL DEFAULT true,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedBy" INTEGER,

    CONSTRAINT "PlatformSettings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "SandboxObject" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "json" JSONB NOT NULL,
    "seq" SERIAL NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SandboxObject_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SandboxIdempotencyKey" (
    "key" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SandboxIdempotencyKey_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "SandboxDelivery" (
    "id" SERIAL NOT NULL,
    "eventId" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "deliveredAt" TIMESTAMPTZ(3),
    "lastStatus" INTEGER,

    CONSTRAINT "SandboxDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_username_key" ON "User"("username");

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "User_stripeCustomerId_key" ON "User"("stripeCustomerId");

-- CreateIndex
CREATE UNIQUE INDEX "User_stripeAccountId_key" ON "User"("stripeAccountId");

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Token_tokenHash_key" ON "Token"("tokenHash");

-- CreateIndex
CREATE INDEX "Token_userId_purpose_idx" ON "Token"("userId", "purpose");

-- CreateIndex
CREATE UNIQUE INDEX "RecoveryCode_codeHash_key" ON "RecoveryCode"("codeHash");

-- CreateIndex
CREATE INDEX "RecoveryCode_userId_idx" ON "RecoveryCode"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Subscription_userId_key" ON "Subscription"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Subscription_stripeSubscriptionId_key" ON "Subscription"("stripeSubscriptionId");

-- CreateIndex
CREATE UNIQUE INDEX "Drop_uniqueId_key" ON "Drop"("uniqueId");

-- CreateIndex
CREATE INDEX "Drop_userId_createdAt_idx" ON "Drop"("userId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Drop_endTime_id_idx" ON "Drop"("endTime", "id");

-- CreateIndex
CREATE INDEX "Drop_createdAt_id_idx" ON "Drop"("createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "DropRun_dropId_run_key" ON "DropRun"("dropId", "run");

-- CreateIndex
CREATE UNIQUE INDEX "DropImage_key_key" ON "DropImage"("key");

-- CreateIndex
CREATE UNIQUE INDEX "DropImage_dropId_position_key" ON "DropImage"("dropId", "position");

-- CreateIndex
CREATE UNIQUE INDEX "DigitalFile_storageKey_key" ON "DigitalFile"("storageKey");

-- CreateIndex
CREATE INDEX "StoredObject_claimedAt_createdAt_idx" ON "StoredObject"("claimedAt", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "WaitlistEntry_tokenHash_key" ON "WaitlistEntry"("tokenHash");

-- CreateIndex
CREATE INDEX "WaitlistEntry_dropId_confirmedAt_idx" ON "WaitlistEntry"("dropId", "confirmedAt");

-- CreateIndex
CREATE UNIQUE INDEX "WaitlistEntry_dropId_email_key" ON "WaitlistEntry"("dropId", "email");

-- CreateIndex
CREATE INDEX "Hold_dropId_buyerKey_idx" ON "Hold"("dropId", "buyerKey");

-- CreateIndex
CREATE UNIQUE INDEX "Order_token_key" ON "Order"("token");

-- CreateIndex
CREATE UNIQUE INDEX "Order_holdId_key" ON "Order"("holdId");

-- CreateIndex
CREATE UNIQUE INDEX "Order_stripeSessionId_key" ON "Order"("stripeSessionId");

-- CreateIndex
CREATE UNIQUE INDEX "Order_stripePaymentIntentId_key" ON "Order"("stripePaymentIntentId");

-- CreateIndex
CREATE UNIQUE INDEX "Order_stripeChargeId_key" ON "Order"("stripeChargeId");

-- CreateIndex
CREATE INDEX "Order_dropId_createdAt_idx" ON "Order"("dropId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Order_status_createdAt_idx" ON "Order"("status", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Refund_stripeRefundId_key" ON "Refund"("stripeRefundId");

-- CreateIndex
CREATE INDEX "Refund_orderId_idx" ON "Refund"("orderId");

-- CreateIndex
CREATE INDEX "Refund_state_createdAt_idx" ON "Refund"("state", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Transfer_orderId_key" ON "Transfer"("orderId");

-- CreateIndex
CREATE UNIQUE INDEX "Transfer_stripeTransferId_key" ON "Transfer"("stripeTransferId");

-- CreateIndex
CREATE INDEX "Transfer_state_dueAt_idx" ON "Transfer"("state", "dueAt");

-- CreateIndex
CREATE INDEX "Transfer_sellerId_createdAt_idx" ON "Transfer"("sellerId", "createdAt" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Dispute_stripeDisputeId_key" ON "Dispute"("stripeDisputeId");

-- CreateIndex
CREATE INDEX "Dispute_orderId_idx" ON "Dispute"("orderId");

-- CreateIndex
CREATE INDEX "Download_orderId_idx" ON "Download"("orderId");

-- CreateIndex
CREATE INDEX "WebhookEvent_handledAt_receivedAt_idx" ON "WebhookEvent"("handledAt", "receivedAt");

-- CreateIndex
CREATE UNIQUE INDEX "OutboxMail_dedupeKey_key" ON "OutboxMail"("dedupeKey");

-- CreateIndex
CREATE INDEX "OutboxMail_sentAt_sendAfter_idx" ON "OutboxMail"("sentAt", "sendAfter");

-- CreateIndex
CREATE INDEX "OutboxMail_to_createdAt_idx" ON "OutboxMail"("to", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "ModerationReview_state_createdAt_idx" ON "ModerationReview"("state", "createdAt");

-- CreateIndex
CREATE INDEX "ModerationReview_dropId_idx" ON "ModerationReview"("dropId");

-- CreateIndex
CREATE INDEX "Strike_userId_idx" ON "Strike"("userId");

-- CreateIndex
CREATE INDEX "AuditEntry_createdAt_id_idx" ON "AuditEntry"("createdAt", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_targetType_targetId_idx" ON "AuditEntry"("targetType", "targetId");

-- CreateIndex
CREATE INDEX "AuditEntry_actorId_createdAt_idx" ON "AuditEntry"("actorId", "createdAt");

-- CreateIndex
CREATE INDEX "SandboxObject_kind_seq_idx" ON "SandboxObject"("kind", "seq");

-- CreateIndex
CREATE INDEX "SandboxDelivery_deliveredAt_nextAttemptAt_idx" ON "SandboxDelivery"("deliveredAt", "nextAttemptAt");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TotpCredential" ADD CONSTRAINT "TotpCredential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropRun" ADD CONSTRAINT "DropRun_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropImage" ADD CONSTRAINT "DropImage_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DigitalFile" ADD CONSTRAINT "DigitalFile_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropView" ADD CONSTRAINT "DropView_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WaitlistEntry" ADD CONSTRAINT "WaitlistEntry_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_holdId_fkey" FOREIGN KEY ("holdId") REFERENCES "Hold"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_sellerId_fkey" FOREIGN KEY ("sellerId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Dispute" ADD CONSTRAINT "Dispute_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Download" ADD CONSTRAINT "Download_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Strike" ADD CONSTRAINT "Strike_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the Prisma schema cannot say, by hand from here on.

-- Identifiers are unique regardless of case (DECISIONS 22, 28).
ALTER TABLE "User" ADD CONSTRAINT "User_username_lower" CHECK ("username" = lower("username"));
ALTER TABLE "User" ADD CONSTRAINT "User_email_lower" CHECK ("email" = lower("email"));
CREATE UNIQUE INDEX "Drop_customSlug_lower_key" ON "Drop" (lower("customSlug"));
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_customSlug_shape"
  CHECK ("customSlug" IS NULL OR ("customSlug" ~ '^[a-z0-9-]{1,50}$' AND "customSlug" !~ '^[0-9]+$'));

-- Stock: never oversold, whatever the code does (DECISIONS 4).
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_stock" CHECK ("sold" >= 0 AND "held" >= 0 AND "sold" + "held" <= "quantity");
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_price" CHECK ("priceCents" BETWEEN 50 AND 99999999);
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_quantity" CHECK ("quantity" BETWEEN 1 AND 1000000);
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_duration" CHECK ("duration" IN (24, 48, 72));
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_times" CHECK ("endTime" > "startedAt" OR "archivedAt" IS NOT NULL OR NOT "isActive");
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_counters" CHECK ("views" >= 0 AND "purchases" >= 0);
ALTER TABLE "DropRun" ADD CONSTRAINT "DropRun_stock" CHECK ("sold" >= 0 AND "sold" <= "quantity");
ALTER TABLE "DropImage" ADD CONSTRAINT "DropImage_position" CHECK ("position" BETWEEN 0 AND 4);
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_quantity" CHECK ("quantity" BETWEEN 1 AND 10);

-- Money: integer cents that add up exactly (DECISIONS 2).
ALTER TABLE "Order" ADD CONSTRAINT "Order_money" CHECK (
  "amountCents" = "unitPriceCents" * "quantity" AND "amountCents" > 0
  AND "platformFeeCents" >= 0 AND "sellerPayoutCents" >= 0
  AND "platformFeeCents" + "sellerPayoutCents" = "amountCents"
  AND "platformFeeBps" BETWEEN 0 AND 10000
  AND "refundedCents" BETWEEN 0 AND "amountCents"
  AND "currency" = 'usd'
);
ALTER TABLE "Order" ADD CONSTRAINT "Order_paid" CHECK (("paidAt" IS NULL) = ("status" IN ('pending', 'expired')));
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_money" CHECK (
  "amountCents" > 0 AND "platformFeeCents" >= 0 AND "platformFeeCents" <= "amountCents"
);
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_money" CHECK (
  "amountCents" >= 0 AND "reversedCents" BETWEEN 0 AND "amountCents"
);

-- Settings are one row.
ALTER TABLE "PlatformSettings" ADD CONSTRAINT "PlatformSettings_single" CHECK ("id" = 1);
INSERT INTO "PlatformSettings" ("id", "isActive", "updatedAt") VALUES (1, true, now());

-- The hot lists, with indexes no larger than what they list.
CREATE INDEX "Drop_live_idx" ON "Drop" ("isPinned" DESC, "isFeatured" DESC, "endTime") WHERE "isActive" AND "hiddenAt" IS NULL;
CREATE INDEX "Drop_expiring_idx" ON "Drop" ("endTime", "id") WHERE "isActive" AND "archivedAt" IS NULL;
CREATE INDEX "Hold_open_idx" ON "Hold" ("expiresAt") WHERE "state" = 'held';
CREATE UNIQUE INDEX "Hold_one_open_per_buyer" ON "Hold" ("dropId", "buyerKey") WHERE "state" = 'held';
CREATE INDEX "Order_seller_paid_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "paidAt" IS NOT NULL;
CREATE INDEX "Order_buyerEmail_lower_idx" ON "Order" (lower("buyerEmail")) WHERE "buyerEmail" IS NOT NULL;
CREATE INDEX "OutboxMail_due_idx" ON "OutboxMail" ("sendAfter") WHERE "sentAt" IS NULL;
CREATE INDEX "WebhookEvent_open_idx" ON "WebhookEvent" ("receivedAt") WHERE "handledAt" IS NULL;
CREATE INDEX "SandboxObject_open_session_idx" ON "SandboxObject" ((("json"->>'expires_at')::bigint))
  WHERE "kind" = 'checkout.session' AND "json"->>'status' = 'open';
CREATE INDEX "SandboxDelivery_due_idx" ON "SandboxDelivery" ("nextAttemptAt") WHERE "deliveredAt" IS NULL;

-- The audit log only grows.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
-- migration: 20261120224500_announce_drop_changes
-- Tells every process which drop changed, under each name it is asked for by, so that the shared cache forgets it.
CREATE FUNCTION announce_drop_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', NEW."id", NEW."uniqueId", NEW."customSlug"));
  RETURN NULL;
END $$;

CREATE TRIGGER "Drop_announce_change" AFTER UPDATE ON "Drop"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION announce_drop_change();
-- migration: 20261121100000_mail_content
-- What a mail says is written with the order it reports on; how it looks is drawn when it is sent or shown, so that
-- a crowd at the till waits for no rendering.
ALTER TABLE "OutboxMail" ADD COLUMN "content" JSONB, ALTER COLUMN "html" DROP NOT NULL;
-- migration: 20261121111100_runs_and_visits
-- What a run began with, so that its own views are a subtraction; and when it is looked at for auto-renew (DECISIONS 19).
ALTER TABLE "DropRun" ADD COLUMN "viewsBefore" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "DropRun" ADD COLUMN "renewDueAt" TIMESTAMPTZ(3);
CREATE INDEX "DropRun_renew_idx" ON "DropRun" ("renewDueAt", "id") WHERE "renewDueAt" IS NOT NULL;

-- A paused drop expires too.
DROP INDEX "Drop_expiring_idx";
CREATE INDEX "Drop_expiring_idx" ON "Drop" ("endTime", "id") WHERE "archivedAt" IS NULL;

-- A hundred thousand recaps must not stand before one receipt.
ALTER TABLE "OutboxMail" ADD COLUMN "isBulk" BOOLEAN NOT NULL DEFAULT false;
DROP INDEX "OutboxMail_due_idx";
CREATE INDEX "OutboxMail_due_idx" ON "OutboxMail" ("isBulk", "sendAfter") WHERE "sentAt" IS NULL;

-- Where buyers came from, by the hour (DECISIONS 24).
ALTER TABLE "Hold" ADD COLUMN "source" TEXT NOT NULL DEFAULT 'direct';

CREATE TABLE "DropTap" (
    "dropId" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "visitor" TEXT NOT NULL,

    CONSTRAINT "DropTap_pkey" PRIMARY KEY ("dropId","day","visitor")
);
ALTER TABLE "DropTap" ADD CONSTRAINT "DropTap_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "DropHour" (
    "dropId" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "source" TEXT NOT NULL,
    "views" INTEGER NOT NULL DEFAULT 0,
    "taps" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "DropHour_pkey" PRIMARY KEY ("dropId","hour","source")
);
ALTER TABLE "DropHour" ADD CONSTRAINT "DropHour_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- migration: 20261121140000_waitlist
-- A place in the line per run, and the unit it was offered.
ALTER TABLE "WaitlistEntry"
  ADD COLUMN "run" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "joinedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "notifiedRun" INTEGER,
  ADD COLUMN "offeredRun" INTEGER,
  ADD COLUMN "claimTokenHash" TEXT,
  ADD COLUMN "claimHoldId" TEXT,
  ADD COLUMN "claimedAt" TIMESTAMPTZ(3);
CREATE UNIQUE INDEX "WaitlistEntry_claimTokenHash_key" ON "WaitlistEntry"("claimTokenHash");
CREATE UNIQUE INDEX "WaitlistEntry_claimHoldId_key" ON "WaitlistEntry"("claimHoldId");

-- Who waits, in their order.
CREATE INDEX "WaitlistEntry_line_idx" ON "WaitlistEntry" ("dropId", "joinedAt", "id")
  WHERE "confirmedAt" IS NOT NULL AND "unsubscribedAt" IS NULL;
-- migration: 20261121150000_pro_and_payouts
CREATE TYPE "PayoutsState" AS ENUM ('notStarted', 'incomplete', 'review', 'ready');
ALTER TABLE "User" ADD COLUMN "payoutsState" "PayoutsState" NOT NULL DEFAULT 'notStarted';

ALTER TABLE "Subscription"
  ADD COLUMN "isEntitled" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "Transfer"
  ADD COLUMN "sentCents" INTEGER,
  ADD COLUMN "takenBackCents" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "refusals" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "lastError" TEXT;
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_sent" CHECK (
  ("sentCents" IS NULL OR "sentCents" >= 0) AND "takenBackCents" >= 0
  AND "takenBackCents" <= coalesce("sentCents", 0)
);

CREATE TABLE "UpgradeCheckout" (
    "userId" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "billingPeriod" TEXT NOT NULL,
    "stripeSessionId" TEXT,
    "url" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UpgradeCheckout_pkey" PRIMARY KEY ("userId")
);
CREATE UNIQUE INDEX "UpgradeCheckout_stripeSessionId_key" ON "UpgradeCheckout"("stripeSessionId");
ALTER TABLE "UpgradeCheckout" ADD CONSTRAINT "UpgradeCheckout_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- migration: 20261121160000_open_refund_requests
-- A buyer asks once: the open request is there until the seller has answered it with money.
CREATE UNIQUE INDEX "Refund_one_open_request" ON "Refund" ("orderId") WHERE "state" = 'requested';
-- migration: 20261121170000_switch_and_search
-- Tells every process that the platform was paused or resumed, so that its shared cache stands aside at once.
CREATE FUNCTION announce_platform_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('platform_changed', NEW."isActive"::text);
  RETURN NULL;
END $$;

CREATE TRIGGER "PlatformSettings_announce_change" AFTER INSERT OR UPDATE ON "PlatformSettings"
  FOR EACH ROW EXECUTE FUNCTION announce_platform_change();

-- What an administrator searches in, in lower case and one column per table, so that one index serves a search.
ALTER TABLE "User" ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Drop" ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';

CREATE FUNCTION user_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := lower(concat_ws(E'\n', NEW."email", NEW."username"));
  RETURN NEW;
END $$;
CREATE TRIGGER "User_search_text" BEFORE INSERT OR UPDATE OF "email", "username" ON "User"
  FOR EACH ROW EXECUTE FUNCTION user_search_text();

CREATE FUNCTION drop_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT lower(NEW."title") || E'\n' || u."searchText" INTO NEW."searchText" FROM "User" u WHERE u."id" = NEW."userId";
  RETURN NEW;
END $$;
CREATE TRIGGER "Drop_search_text" BEFORE INSERT OR UPDATE OF "title" ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION drop_search_text();

-- A seller's new name or address is found at once, a removed account's old one never again.
CREATE FUNCTION user_drops_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Drop" SET "searchText" = lower("title") || E'\n' || NEW."searchText" WHERE "userId" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "User_drops_search_text" AFTER UPDATE ON "User"
  FOR EACH ROW WHEN (OLD."searchText" IS DISTINCT FROM NEW."searchText") EXECUTE FUNCTION user_drops_search_text();

UPDATE "User" SET "searchText" = lower(concat_ws(E'\n', "email", "username"));
UPDATE "Drop" d SET "searchText" = lower(d."title") || E'\n' || u."searchText" FROM "User" u WHERE u."id" = d."userId";

-- Trigrams come with every Postgres, but an owner of a database may be forbidden to add them: then searches read the table.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXECUTE 'CREATE INDEX "User_searchText_idx" ON "User" USING gin ("searchText" gin_trgm_ops)';
  EXECUTE 'CREATE INDEX "Drop_searchText_idx" ON "Drop" USING gin ("searchText" gin_trgm_ops)';
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: searches in the admin panel will be slower on large tables';
END $$;

-- The filters of the admin lists, with indexes no larger than what they list.
CREATE INDEX "User_suspended_idx" ON "User" ("id") WHERE "isSuspended";
CREATE INDEX "User_admin_idx" ON "User" ("id") WHERE "isAdmin";
CREATE INDEX "Drop_admin_active_idx" ON "Drop" ("id") WHERE "isActive" AND "hiddenAt" IS NULL;
CREATE INDEX "Drop_admin_promoted_idx" ON "Drop" ("id") WHERE "isFeatured" OR "isPinned";
CREATE INDEX "Drop_admin_hidden_idx" ON "Drop" ("id") WHERE "hiddenAt" IS NOT NULL;
CREATE INDEX "Drop_admin_review_idx" ON "Drop" ("id") WHERE "moderation" <> 'allowed';
CREATE INDEX "Order_createdAt_id_idx" ON "Order" ("createdAt" DESC, "id" DESC);
CREATE INDEX "WebhookEvent_receivedAt_id_idx" ON "WebhookEvent" ("receivedAt" DESC, "id" DESC);
-- migration: 20261121171000_appeals
-- CreateEnum
CREATE TYPE "AppealState" AS ENUM ('open', 'lifted', 'kept');

-- CreateTable
CREATE TABLE "Appeal" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "state" "AppealState" NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decidedAt" TIMESTAMPTZ(3),
    "decidedBy" INTEGER,

    CONSTRAINT "Appeal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Appeal_state_createdAt_idx" ON "Appeal"("state", "createdAt");

-- AddForeignKey
ALTER TABLE "Appeal" ADD CONSTRAINT "Appeal_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One open appeal for each account: the next one may be written when it is answered.
CREATE UNIQUE INDEX "Appeal_one_open" ON "Appeal" ("userId") WHERE "state" = 'open';
-- migration: 20261121180000_money_back_done
-- That it was promised once, and that it has been given, are two things: a later subscription owes nothing.
ALTER TABLE "Subscription" ADD COLUMN "moneyBackDoneAt" TIMESTAMPTZ(3);
-- migration: 20261121185000_direct_uploads
-- An upload that goes straight to the storage takes longer than what waits here for its row, and is named by who sends it.
ALTER TABLE "StoredObject" ADD COLUMN "fileName" TEXT;
ALTER TABLE "StoredObject" ADD COLUMN "keepUntil" TIMESTAMPTZ(3);
-- migration: 20261121185000_seller_orders
ALTER TABLE "Order" ADD COLUMN "shipNudgedAt" TIMESTAMPTZ(3), ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';

-- A part of an order can go back on sale: units instead of yes or no.
ALTER TABLE "Refund" ADD COLUMN "restockUnits" INTEGER NOT NULL DEFAULT 0;
UPDATE "Refund" r SET "restockUnits" = o."quantity" FROM "Order" o WHERE o."id" = r."orderId" AND r."isRestocked";
ALTER TABLE "Refund" DROP COLUMN "isRestocked";
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_restock" CHECK ("restockUnits" >= 0);

ALTER TABLE "Transfer" ADD COLUMN "sentAgainCents" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Transfer" DROP CONSTRAINT "Transfer_sent";
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_sent" CHECK (
  ("sentCents" IS NULL OR "sentCents" >= 0)
  AND "sentAgainCents" >= 0 AND "takenBackCents" BETWEEN 0 AND coalesce("sentCents", 0) + "sentAgainCents"
);

ALTER TABLE "Dispute" ADD COLUMN "dueAt" TIMESTAMPTZ(3), ADD COLUMN "evidence" JSONB, ADD COLUMN "submittedAt" TIMESTAMPTZ(3);

CREATE TABLE "PurchaseRecord" (
    "orderId" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "shippingNote" TEXT NOT NULL,
    "imageKeys" TEXT[],
    "endTime" TIMESTAMPTZ(3) NOT NULL,
    "termsDate" TEXT NOT NULL,
    "ip" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PurchaseRecord_pkey" PRIMARY KEY ("orderId")
);
ALTER TABLE "PurchaseRecord" ADD CONSTRAINT "PurchaseRecord_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What a seller searches in. A checkout that is not paid costs nothing here: a crowd opens many.
CREATE FUNCTION order_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := lower(concat_ws(E'\n', right(NEW."id", 8), NEW."id", NEW."buyerEmail", NEW."buyerName",
                                      NEW."shipName", NEW."dropTitle", NEW."trackingNumber"));
  RETURN NEW;
END $$;
CREATE TRIGGER "Order_search_text"
  BEFORE INSERT OR UPDATE OF "paidAt", "buyerEmail", "buyerName", "shipName", "dropTitle", "trackingNumber" ON "Order"
  FOR EACH ROW WHEN (NEW."paidAt" IS NOT NULL) EXECUTE FUNCTION order_search_text();
UPDATE "Order" SET "searchText" = lower(concat_ws(E'\n', right("id", 8), "id", "buyerEmail", "buyerName", "shipName",
                                                  "dropTitle", "trackingNumber"))
 WHERE "paidAt" IS NOT NULL;

-- Trigrams where the owner of the database may have them; else a search walks the seller's orders.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXECUTE 'CREATE INDEX "Order_searchText_idx" ON "Order" USING gin ("searchText" gin_trgm_ops) WHERE "paidAt" IS NOT NULL';
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: sellers with many orders will search slower';
END $$;

CREATE INDEX "Order_to_ship_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC)
  WHERE "status" = 'paid' AND "productType" = 'physical';
CREATE INDEX "Order_late_idx" ON "Order" ("paidAt")
  WHERE "status" = 'paid' AND "productType" = 'physical' AND "shipNudgedAt" IS NULL;
CREATE INDEX "Order_nudged_idx" ON "Order" ("sellerId", "shipNudgedAt") WHERE "shipNudgedAt" IS NOT NULL;
-- What is rare among many is found without walking the rest.
CREATE INDEX "Order_refunded_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "refundedCents" > 0;
CREATE INDEX "Order_disputed_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "status" = 'disputed';
-- migration: 20261121190000_platform_tallies
-- What the panel's stat cards show, as changes that only ever get appended and are summed when read: exact with any number of
-- rows, and nobody waits for a counter's row (docs/adr/0035). A job folds them into one row each.
CREATE TABLE "Tally" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "Tally_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION tally_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "Tally" ("name", "amount") SELECT 'users', count(*) FROM added WHERE "deletedAt" IS NULL HAVING count(*) > 0;
  ELSIF TG_OP = 'UPDATE' AND NEW."deletedAt" IS NULL THEN
    INSERT INTO "Tally" ("name", "amount") VALUES ('users', 1);
  ELSE
    INSERT INTO "Tally" ("name", "amount") VALUES ('users', -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "User_tally_insert" AFTER INSERT ON "User"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE TRIGGER "User_tally_update" AFTER UPDATE OF "deletedAt" ON "User"
  FOR EACH ROW WHEN ((OLD."deletedAt" IS NULL) <> (NEW."deletedAt" IS NULL)) EXECUTE FUNCTION tally_users();
CREATE TRIGGER "User_tally_delete" AFTER DELETE ON "User"
  FOR EACH ROW WHEN (OLD."deletedAt" IS NULL) EXECUTE FUNCTION tally_users();

CREATE FUNCTION tally_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "Tally" ("name", "amount") SELECT 'orders', count(*) FROM added WHERE "paidAt" IS NOT NULL HAVING count(*) > 0;
  ELSIF TG_OP = 'UPDATE' AND NEW."paidAt" IS NOT NULL THEN
    INSERT INTO "Tally" ("name", "amount") VALUES ('orders', 1);
  ELSE
    INSERT INTO "Tally" ("name", "amount") VALUES ('orders', -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_tally_insert" AFTER INSERT ON "Order"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_orders();
CREATE TRIGGER "Order_tally_update" AFTER UPDATE OF "paidAt" ON "Order"
  FOR EACH ROW WHEN ((OLD."paidAt" IS NULL) <> (NEW."paidAt" IS NULL)) EXECUTE FUNCTION tally_orders();
CREATE TRIGGER "Order_tally_delete" AFTER DELETE ON "Order"
  FOR EACH ROW WHEN (OLD."paidAt" IS NOT NULL) EXECUTE FUNCTION tally_orders();

CREATE FUNCTION tally_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    INSERT INTO "Tally" ("name", "amount") SELECT 'views', sum("views") FROM added HAVING sum("views") <> 0;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO "Tally" ("name", "amount") VALUES ('views', NEW."views" - OLD."views");
  ELSE
    INSERT INTO "Tally" ("name", "amount") VALUES ('views', -OLD."views");
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Drop_tally_insert" AFTER INSERT ON "Drop"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_views();
CREATE TRIGGER "Drop_tally_update" AFTER UPDATE OF "views" ON "Drop"
  FOR EACH ROW WHEN (OLD."views" <> NEW."views") EXECUTE FUNCTION tally_views();
CREATE TRIGGER "Drop_tally_delete" AFTER DELETE ON "Drop"
  FOR EACH ROW WHEN (OLD."views" <> 0) EXECUTE FUNCTION tally_views();

-- The triggers stand, and their locks with them: what is counted now misses nothing.
INSERT INTO "Tally" ("name", "amount")
SELECT 'users', count(*) FROM "User" WHERE "deletedAt" IS NULL
UNION ALL SELECT 'orders', count(*) FROM "Order" WHERE "paidAt" IS NOT NULL
UNION ALL SELECT 'views', COALESCE(sum("views"), 0) FROM "Drop";

-- By the clock, so counted when read, from what runs alone.
CREATE INDEX "Drop_running_idx" ON "Drop" ("endTime")
  WHERE "isActive" AND "hiddenAt" IS NULL AND "archivedAt" IS NULL;

-- Filters whose rows may be rare among the newest.
CREATE INDEX "User_pro_idx" ON "User" ("id") WHERE "plan" = 'pro';
CREATE INDEX "Drop_productType_id_idx" ON "Drop" ("productType", "id");
CREATE INDEX "WebhookEvent_orphaned_idx" ON "WebhookEvent" ("receivedAt" DESC, "id" DESC)
  WHERE "outcome" IN ('unknown', 'mismatch');
CREATE INDEX "AuditEntry_targetId_id_idx" ON "AuditEntry" ("targetId", "id");
-- migration: 20261121201000_order_life
-- A refund that a buyer asked for can be declined, with the reason.
ALTER TYPE "RefundState" ADD VALUE 'declined' AFTER 'requested';
ALTER TABLE "Refund" ADD COLUMN "answer" TEXT NOT NULL DEFAULT '';

-- An order arrives: who said so, and when. Orders of the demo were done without a date.
ALTER TABLE "Order" ADD COLUMN "deliveredBy" TEXT;
ALTER TABLE "Order" ADD CONSTRAINT "Order_delivered" CHECK ("deliveredBy" IS NULL OR ("deliveredBy" IN ('buyer', 'seller') AND "deliveredAt" IS NOT NULL));
UPDATE "Order" SET "status" = 'paid' WHERE "status" = 'done' AND "productType" = 'digital';
UPDATE "Order" SET "deliveredAt" = coalesce("paidAt", "createdAt"), "deliveredBy" = 'seller' WHERE "status" = 'done' AND "deliveredAt" IS NULL;

-- Payments whose card fee Stripe had not said yet when they came: few, asked for again until it is known.
CREATE INDEX "Order_fee_unknown_idx" ON "Order" ("paidAt") WHERE "paidAt" IS NOT NULL AND "cardFeeCents" IS NULL;

ALTER TABLE "Dispute" ADD COLUMN "feeCents" INTEGER NOT NULL DEFAULT 0;

-- An account that was complete and that Stripe sends nothing to until it has what it asks for.
ALTER TYPE "PayoutsState" ADD VALUE 'paused' AFTER 'review';
-- migration: 20261121231500_creation_key
-- A form that is sent again, because its answer was lost or its button was tapped twice, makes one drop.
ALTER TABLE "Drop" ADD COLUMN "creationKey" TEXT;
CREATE UNIQUE INDEX "Drop_userId_creationKey_key" ON "Drop"("userId", "creationKey");
-- migration: 20261122023000_announce_removed_drops
-- A drop that is deleted is forgotten by the shared cache like one that changed.
CREATE FUNCTION announce_drop_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', OLD."id", OLD."uniqueId", OLD."customSlug"));
  RETURN NULL;
END $$;

CREATE TRIGGER "Drop_announce_removal" AFTER DELETE ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION announce_drop_removal();

-- What a seller's profile lists, and how long each still runs. Counters are a second old there at most, as before.
CREATE FUNCTION announce_profile_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('profile_changed', u."username") FROM "User" u
    WHERE u."id" = coalesce(NEW."userId", OLD."userId") AND u."username" IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER "Drop_announce_profile_change"
  AFTER INSERT OR DELETE OR UPDATE OF "isActive", "endTime", "hiddenAt", "moderation", "title", "priceCents" ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION announce_profile_change();

-- Those who went away are few: what becomes paid after they went is looked for among them alone.
CREATE INDEX "User_deletedAt_idx" ON "User" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
-- migration: 20261122024500_order_reference
-- What people call an order: the end of its id, whatever the case.
CREATE INDEX "Order_reference_idx" ON "Order" (upper(right("id", 8)));
