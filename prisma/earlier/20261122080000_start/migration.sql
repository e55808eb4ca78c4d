-- The start of the schema: everything a new database needs, in one script.
--
--   1. Tables, as `npx prisma migrate diff --from-empty --to-schema prisma/schema --script` prints them, without the two trigram
--      indexes, which part 6 creates only where that is possible
--   2. First rows
--   3. CHECK constraints
--   4. Functions and triggers
--   5. Partial indexes and indexes on expressions
--   6. Trigram indexes, where the database may have them
--
-- Parts 2 to 6 are written by hand, because Prisma's schema language cannot express them. Later changes are migrations of their
-- own in a folder beside this one; this file does not change any more once a release has run it (CONTRIBUTING.md).

-- ---------------------------------------------------------------------------------------------------------------------------
-- 1. Tables
-- ---------------------------------------------------------------------------------------------------------------------------

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "TokenPurpose" AS ENUM ('passwordReset', 'emailConfirm', 'emailChange');

-- CreateEnum
CREATE TYPE "PayoutsState" AS ENUM ('notStarted', 'incomplete', 'review', 'paused', 'ready');

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
CREATE TYPE "RefundState" AS ENUM ('requested', 'declined', 'pending', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "TransferState" AS ENUM ('waiting', 'sent', 'reversed');

-- CreateEnum
CREATE TYPE "ReviewState" AS ENUM ('open', 'allowed', 'refused');

-- CreateEnum
CREATE TYPE "AppealState" AS ENUM ('open', 'lifted', 'kept');

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
    "payoutsState" "PayoutsState" NOT NULL DEFAULT 'notStarted',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),
    "searchText" TEXT NOT NULL DEFAULT '',

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
    "moneyBackDoneAt" TIMESTAMPTZ(3),
    "isEntitled" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UpgradeCheckout" (
    "userId" INTEGER NOT NULL,
    "attempt" TEXT NOT NULL,
    "billingPeriod" TEXT NOT NULL,
    "stripeSessionId" TEXT,
    "url" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UpgradeCheckout_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Drop" (
    "id" SERIAL NOT NULL,
    "uniqueId" TEXT NOT NULL,
    "customSlug" TEXT,
    "userId" INTEGER NOT NULL,
    "creationKey" TEXT,
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
    "searchText" TEXT NOT NULL DEFAULT '',
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
    "viewsBefore" INTEGER NOT NULL DEFAULT 0,
    "renewDueAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endTime" TIMESTAMPTZ(3) NOT NULL,

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
    "fileName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "keepUntil" TIMESTAMPTZ(3),
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
CREATE TABLE "DropTap" (
    "dropId" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "visitor" TEXT NOT NULL,

    CONSTRAINT "DropTap_pkey" PRIMARY KEY ("dropId","day","visitor")
);

-- CreateTable
CREATE TABLE "DropHour" (
    "dropId" INTEGER NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "source" TEXT NOT NULL,
    "views" INTEGER NOT NULL DEFAULT 0,
    "taps" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "DropHour_pkey" PRIMARY KEY ("dropId","hour","source")
);

-- CreateTable
CREATE TABLE "WaitlistEntry" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "run" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "joinedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3),
    "notifiedAt" TIMESTAMPTZ(3),
    "notifiedRun" INTEGER,
    "offeredRun" INTEGER,
    "claimTokenHash" TEXT,
    "claimHoldId" TEXT,
    "claimedAt" TIMESTAMPTZ(3),
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
    "source" TEXT NOT NULL DEFAULT 'direct',

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
    "deliveredBy" TEXT,
    "disputedAt" TIMESTAMPTZ(3),
    "shipNudgedAt" TIMESTAMPTZ(3),
    "searchText" TEXT NOT NULL DEFAULT '',

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
    "answer" TEXT NOT NULL DEFAULT '',
    "restockUnits" INTEGER NOT NULL DEFAULT 0,
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
    "sentCents" INTEGER,
    "takenBackCents" INTEGER NOT NULL DEFAULT 0,
    "sentAgainCents" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastError" TEXT,
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
    "feeCents" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3),
    "evidence" JSONB,
    "submittedAt" TIMESTAMPTZ(3),
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
    "content" JSONB,
    "html" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sendAfter" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "isBulk" BOOLEAN NOT NULL DEFAULT false,

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
CREATE TABLE "Tally" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "Tally_pkey" PRIMARY KEY ("id")
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
CREATE UNIQUE INDEX "UpgradeCheckout_stripeSessionId_key" ON "UpgradeCheckout"("stripeSessionId");

-- CreateIndex
CREATE UNIQUE INDEX "Drop_uniqueId_key" ON "Drop"("uniqueId");

-- CreateIndex
CREATE INDEX "Drop_userId_createdAt_idx" ON "Drop"("userId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Drop_endTime_id_idx" ON "Drop"("endTime", "id");

-- CreateIndex
CREATE INDEX "Drop_createdAt_id_idx" ON "Drop"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Drop_productType_id_idx" ON "Drop"("productType", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Drop_userId_creationKey_key" ON "Drop"("userId", "creationKey");

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
CREATE UNIQUE INDEX "WaitlistEntry_claimTokenHash_key" ON "WaitlistEntry"("claimTokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "WaitlistEntry_claimHoldId_key" ON "WaitlistEntry"("claimHoldId");

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
CREATE INDEX "Order_createdAt_id_idx" ON "Order"("createdAt" DESC, "id" DESC);

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
CREATE INDEX "WebhookEvent_receivedAt_id_idx" ON "WebhookEvent"("receivedAt" DESC, "id" DESC);

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
CREATE INDEX "Appeal_state_createdAt_idx" ON "Appeal"("state", "createdAt");

-- CreateIndex
CREATE INDEX "AuditEntry_createdAt_id_idx" ON "AuditEntry"("createdAt", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_targetType_targetId_idx" ON "AuditEntry"("targetType", "targetId");

-- CreateIndex
CREATE INDEX "AuditEntry_targetId_id_idx" ON "AuditEntry"("targetId", "id");

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
ALTER TABLE "UpgradeCheckout" ADD CONSTRAINT "UpgradeCheckout_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "DropTap" ADD CONSTRAINT "DropTap_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropHour" ADD CONSTRAINT "DropHour_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "PurchaseRecord" ADD CONSTRAINT "PurchaseRecord_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Strike" ADD CONSTRAINT "Strike_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Appeal" ADD CONSTRAINT "Appeal_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ---------------------------------------------------------------------------------------------------------------------------
-- 2. First rows
-- ---------------------------------------------------------------------------------------------------------------------------

-- The settings of the platform, which is not paused at first.
INSERT INTO "PlatformSettings" ("id", "isActive", "updatedAt") VALUES (1, true, now());

-- The counters of the admin dashboard begin at zero.
INSERT INTO "Tally" ("name", "amount") VALUES ('users', 0), ('orders', 0), ('views', 0);

-- ---------------------------------------------------------------------------------------------------------------------------
-- 3. CHECK constraints
-- ---------------------------------------------------------------------------------------------------------------------------

-- Usernames and email addresses are stored in lower case, which makes their unique indexes ignore case. Without these checks
-- "Mira" and "mira" could be two accounts, and a login could open the wrong one.
ALTER TABLE "User" ADD CONSTRAINT "User_username_lower" CHECK ("username" = lower("username"));
ALTER TABLE "User" ADD CONSTRAINT "User_email_lower" CHECK ("email" = lower("email"));

-- A custom slug is part of a drop's address, next to numeric ids. A slug with other characters would break the link, and one
-- made of digits only could be taken for the id of somebody else's drop.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_customSlug_shape"
  CHECK ("customSlug" IS NULL OR ("customSlug" ~ '^[a-z0-9-]{1,50}$' AND "customSlug" !~ '^[0-9]+$'));

-- Units sold and units held by buyers who are paying never exceed the stock. This is the last line of defence against
-- overselling: without it, a mistake in the code could sell the same unit twice.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_stock" CHECK ("sold" >= 0 AND "held" >= 0 AND "sold" + "held" <= "quantity");

-- A price lies between 0.50 and 999,999.99 US dollars, the range in which Stripe accepts a card payment. Outside of it, every
-- checkout of the drop would fail.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_price" CHECK ("priceCents" BETWEEN 50 AND 99999999);

-- A drop has at least one unit and at most a million, as the create form says. With no unit it could be live and never be bought.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_quantity" CHECK ("quantity" BETWEEN 1 AND 1000000);

-- A drop runs for 24, 48 or 72 hours. The screens, the plans and auto-renew know no other duration.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_duration" CHECK ("duration" IN (24, 48, 72));

-- A drop that is on sale ends after it started. Only a drop that was ended or switched off may have been cut short; for any
-- other, the countdown would be negative from the beginning.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_times" CHECK ("endTime" > "startedAt" OR "archivedAt" IS NOT NULL OR NOT "isActive");

-- Counters never become negative. A negative one would mean that something was subtracted twice.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_counters" CHECK ("views" >= 0 AND "purchases" >= 0);

-- A run sells at most its own stock. Otherwise the analytics of a run would show more sales than it had units.
ALTER TABLE "DropRun" ADD CONSTRAINT "DropRun_stock" CHECK ("sold" >= 0 AND "sold" <= "quantity");

-- A drop has at most five pictures, at the positions 0 to 4. The gallery has no place for a sixth one.
ALTER TABLE "DropImage" ADD CONSTRAINT "DropImage_position" CHECK ("position" BETWEEN 0 AND 4);

-- One buyer can hold at most ten units at a time. Without the limit a single visitor could reserve the whole stock, and the
-- amount of an order could exceed what an integer column holds.
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_quantity" CHECK ("quantity" BETWEEN 1 AND 10);

-- The amounts of an order add up to the cent: price times quantity is what the buyer pays, and platform fee plus seller's payout
-- is the same amount again. Without this check a rounding mistake would pay out more or less than was received.
ALTER TABLE "Order" ADD CONSTRAINT "Order_money" CHECK (
  "amountCents" = "unitPriceCents" * "quantity" AND "amountCents" > 0
  AND "platformFeeCents" >= 0 AND "sellerPayoutCents" >= 0
  AND "platformFeeCents" + "sellerPayoutCents" = "amountCents"
  AND "platformFeeBps" BETWEEN 0 AND 10000
  AND "refundedCents" BETWEEN 0 AND "amountCents"
  AND "currency" = 'usd'
);

-- An order has a payment date exactly when it is neither pending nor expired. Many queries use one for the other; if they
-- disagreed, an unpaid order could be shipped or a paid one forgotten.
ALTER TABLE "Order" ADD CONSTRAINT "Order_paid" CHECK (("paidAt" IS NULL) = ("status" IN ('pending', 'expired')));

-- Whoever confirmed a delivery is the buyer or the seller, and the date of the delivery is known. The order page shows both.
ALTER TABLE "Order" ADD CONSTRAINT "Order_delivered" CHECK ("deliveredBy" IS NULL OR ("deliveredBy" IN ('buyer', 'seller') AND "deliveredAt" IS NOT NULL));

-- A refund returns something, and the fee the platform gives back is at most the refunded amount. Otherwise the seller's part of
-- the refund would be negative.
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_money" CHECK (
  "amountCents" > 0 AND "platformFeeCents" >= 0 AND "platformFeeCents" <= "amountCents"
);

-- A refund can only add units to the stock. A negative number would take units away from other buyers.
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_restock" CHECK ("restockUnits" >= 0);

-- No more is taken back from a payout than the payout was.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_money" CHECK (
  "amountCents" >= 0 AND "reversedCents" BETWEEN 0 AND "amountCents"
);

-- No more comes back by reversals than was sent. Otherwise Stripe would be asked for a reversal that it must refuse.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_sent" CHECK (
  ("sentCents" IS NULL OR "sentCents" >= 0)
  AND "sentAgainCents" >= 0 AND "takenBackCents" BETWEEN 0 AND coalesce("sentCents", 0) + "sentAgainCents"
);

-- The settings are a single row. With a second one, two processes could disagree on whether the platform is paused.
ALTER TABLE "PlatformSettings" ADD CONSTRAINT "PlatformSettings_single" CHECK ("id" = 1);

-- ---------------------------------------------------------------------------------------------------------------------------
-- 4. Functions and triggers
-- ---------------------------------------------------------------------------------------------------------------------------

-- The audit log only grows. Without this trigger, somebody who took over the application could erase the traces.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Notifies every process that a drop changed, with each name the drop can be requested by. The shared cache then forgets its
-- page and open pages update; without the trigger, visitors would see old stock and old prices.
CREATE FUNCTION announce_drop_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', NEW."id", NEW."uniqueId", NEW."customSlug"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Drop_announce_change" AFTER UPDATE ON "Drop"
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION announce_drop_change();

-- The same for a drop that is deleted. Without it, the cache would keep serving a page that no longer exists.
CREATE FUNCTION announce_drop_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', OLD."id", OLD."uniqueId", OLD."customSlug"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Drop_announce_removal" AFTER DELETE ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION announce_drop_removal();

-- Notifies every process that a seller's public profile changed: the drops it lists, their titles, prices and end times. View
-- and sales counters are left out on purpose, because they change far too often; the cache expires them after a second.
CREATE FUNCTION announce_profile_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('profile_changed', u."username") FROM "User" u
    WHERE u."id" = coalesce(NEW."userId", OLD."userId") AND u."username" IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "Drop_announce_profile_change"
  AFTER INSERT OR DELETE OR UPDATE OF "isActive", "endTime", "hiddenAt", "moderation", "title", "priceCents" ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION announce_profile_change();

-- Notifies every process that an administrator paused or resumed the platform. Without it, a paused platform would keep
-- answering from its cache.
CREATE FUNCTION announce_platform_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('platform_changed', NEW."isActive"::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "PlatformSettings_announce_change" AFTER INSERT OR UPDATE ON "PlatformSettings"
  FOR EACH ROW EXECUTE FUNCTION announce_platform_change();

-- Maintains the text that the admin search reads about an account, in lower case and in one column, so that one index serves
-- the search. Without the trigger, new and renamed accounts could not be found.
CREATE FUNCTION user_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := lower(concat_ws(E'\n', NEW."email", NEW."username"));
  RETURN NEW;
END $$;
CREATE TRIGGER "User_search_text" BEFORE INSERT OR UPDATE OF "email", "username" ON "User"
  FOR EACH ROW EXECUTE FUNCTION user_search_text();

-- The same for a drop, which is found by its title and by its seller.
CREATE FUNCTION drop_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT lower(NEW."title") || E'\n' || u."searchText" INTO NEW."searchText" FROM "User" u WHERE u."id" = NEW."userId";
  RETURN NEW;
END $$;
CREATE TRIGGER "Drop_search_text" BEFORE INSERT OR UPDATE OF "title" ON "Drop"
  FOR EACH ROW EXECUTE FUNCTION drop_search_text();

-- Passes a seller's new email address or username on to the search text of their drops. Without it, the drops would still be
-- found by the old name, even after the account was deleted.
CREATE FUNCTION user_drops_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Drop" SET "searchText" = lower("title") || E'\n' || NEW."searchText" WHERE "userId" = NEW."id";
  RETURN NULL;
END $$;
CREATE TRIGGER "User_drops_search_text" AFTER UPDATE ON "User"
  FOR EACH ROW WHEN (OLD."searchText" IS DISTINCT FROM NEW."searchText") EXECUTE FUNCTION user_drops_search_text();

-- The same for an order, which its seller finds by its id, buyer, title or tracking number. The trigger works on paid orders
-- only: many buyers open a checkout at the same moment, and they should not wait for a search text that most never need.
CREATE FUNCTION order_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."searchText" := lower(concat_ws(E'\n', right(NEW."id", 8), NEW."id", NEW."buyerEmail", NEW."buyerName",
                                      NEW."shipName", NEW."dropTitle", NEW."trackingNumber"));
  RETURN NEW;
END $$;
CREATE TRIGGER "Order_search_text"
  BEFORE INSERT OR UPDATE OF "paidAt", "buyerEmail", "buyerName", "shipName", "dropTitle", "trackingNumber" ON "Order"
  FOR EACH ROW WHEN (NEW."paidAt" IS NOT NULL) EXECUTE FUNCTION order_search_text();

-- The three functions below count accounts, paid orders and views for the admin dashboard. They append changes to "Tally"
-- instead of updating one row, so that no sign-up, sale or view waits for another one. Without them the dashboard would have to
-- count whole tables, or show numbers that no longer change.
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

-- ---------------------------------------------------------------------------------------------------------------------------
-- 5. Partial indexes and indexes on expressions
-- ---------------------------------------------------------------------------------------------------------------------------
-- A partial index contains only the rows that its query can return, so it stays small however large the table becomes. Where
-- no other consequence is named, a query without its index reads the whole table.

-- Slugs are unique regardless of case. Without this index two drops could claim the same link.
CREATE UNIQUE INDEX "Drop_customSlug_lower_key" ON "Drop" (lower("customSlug"));

-- A buyer has at most one open hold per drop. Without this index two tabs of one browser could reserve units twice.
CREATE UNIQUE INDEX "Hold_one_open_per_buyer" ON "Hold" ("dropId", "buyerKey") WHERE "state" = 'held';

-- An order has at most one open refund request. Without this index a buyer who taps twice would ask twice.
CREATE UNIQUE INDEX "Refund_one_open_request" ON "Refund" ("orderId") WHERE "state" = 'requested';

-- An account has at most one open appeal. Without this index a suspended seller could fill the queue.
CREATE UNIQUE INDEX "Appeal_one_open" ON "Appeal" ("userId") WHERE "state" = 'open';

-- The landing page lists live drops: pinned ones first, then featured ones, then by end time.
CREATE INDEX "Drop_live_idx" ON "Drop" ("isPinned" DESC, "isFeatured" DESC, "endTime") WHERE "isActive" AND "hiddenAt" IS NULL;

-- The scheduler archives what is over, every minute, in the order of the end times. Drops that were switched off expire too.
CREATE INDEX "Drop_expiring_idx" ON "Drop" ("endTime", "id") WHERE "archivedAt" IS NULL;

-- The admin dashboard counts the drops that are running now.
CREATE INDEX "Drop_running_idx" ON "Drop" ("endTime")
  WHERE "isActive" AND "hiddenAt" IS NULL AND "archivedAt" IS NULL;

-- Auto-renew looks for runs whose time has come.
CREATE INDEX "DropRun_renew_idx" ON "DropRun" ("renewDueAt", "id") WHERE "renewDueAt" IS NOT NULL;

-- The filters of the admin lists of drops and accounts. The rows they select may be rare, so without these indexes a page of a
-- filtered list would read the whole table.
CREATE INDEX "Drop_admin_active_idx" ON "Drop" ("id") WHERE "isActive" AND "hiddenAt" IS NULL;
CREATE INDEX "Drop_admin_promoted_idx" ON "Drop" ("id") WHERE "isFeatured" OR "isPinned";
CREATE INDEX "Drop_admin_hidden_idx" ON "Drop" ("id") WHERE "hiddenAt" IS NOT NULL;
CREATE INDEX "Drop_admin_review_idx" ON "Drop" ("id") WHERE "moderation" <> 'allowed';
CREATE INDEX "User_suspended_idx" ON "User" ("id") WHERE "isSuspended";
CREATE INDEX "User_admin_idx" ON "User" ("id") WHERE "isAdmin";
CREATE INDEX "User_pro_idx" ON "User" ("id") WHERE "plan" = 'pro';

-- The scheduler looks for orders of deleted accounts that became paid after the seller had left.
CREATE INDEX "User_deletedAt_idx" ON "User" ("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- The scheduler releases holds that have expired. Without this index stock would return late when there are many orders.
CREATE INDEX "Hold_open_idx" ON "Hold" ("expiresAt") WHERE "state" = 'held';

-- The queue of the waitlist: confirmed people of a drop, in the order in which they joined.
CREATE INDEX "WaitlistEntry_line_idx" ON "WaitlistEntry" ("dropId", "joinedAt", "id")
  WHERE "confirmedAt" IS NOT NULL AND "unsubscribedAt" IS NULL;

-- A seller's list of paid orders, newest first.
CREATE INDEX "Order_seller_paid_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "paidAt" IS NOT NULL;

-- The same list filtered: parcels to ship, refunded orders, disputed orders.
CREATE INDEX "Order_to_ship_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC)
  WHERE "status" = 'paid' AND "productType" = 'physical';
CREATE INDEX "Order_refunded_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "refundedCents" > 0;
CREATE INDEX "Order_disputed_idx" ON "Order" ("sellerId", "paidAt" DESC, "id" DESC) WHERE "status" = 'disputed';

-- The shipping reminder looks for late parcels, and for sellers who were reminded today already.
CREATE INDEX "Order_late_idx" ON "Order" ("paidAt")
  WHERE "status" = 'paid' AND "productType" = 'physical' AND "shipNudgedAt" IS NULL;
CREATE INDEX "Order_nudged_idx" ON "Order" ("sellerId", "shipNudgedAt") WHERE "shipNudgedAt" IS NOT NULL;

-- The scheduler asks Stripe again for processing fees that were not known at the time of payment.
CREATE INDEX "Order_fee_unknown_idx" ON "Order" ("paidAt") WHERE "paidAt" IS NOT NULL AND "cardFeeCents" IS NULL;

-- Administrators and sellers find an order by its reference, which is the end of its id, in any case.
CREATE INDEX "Order_reference_idx" ON "Order" (upper(right("id", 8)));

-- Administrators find the orders of a buyer by email address, in any case.
CREATE INDEX "Order_buyerEmail_lower_idx" ON "Order" (lower("buyerEmail")) WHERE "buyerEmail" IS NOT NULL;

-- Mail that waits to be sent. Bulk mail sorts last, so that a hundred thousand recaps do not delay a receipt.
CREATE INDEX "OutboxMail_due_idx" ON "OutboxMail" ("isBulk", "sendAfter") WHERE "sentAt" IS NULL;

-- Webhook events that are not handled yet, and those that belonged to nothing we know. The admin panel lists both.
CREATE INDEX "WebhookEvent_open_idx" ON "WebhookEvent" ("receivedAt") WHERE "handledAt" IS NULL;
CREATE INDEX "WebhookEvent_orphaned_idx" ON "WebhookEvent" ("receivedAt" DESC, "id" DESC)
  WHERE "outcome" IN ('unknown', 'mismatch');

-- The stand-in for Stripe expires open checkout sessions, and delivers webhook events that are due.
CREATE INDEX "SandboxObject_open_session_idx" ON "SandboxObject" ((("json"->>'expires_at')::bigint))
  WHERE "kind" = 'checkout.session' AND "json"->>'status' = 'open';
CREATE INDEX "SandboxDelivery_due_idx" ON "SandboxDelivery" ("nextAttemptAt") WHERE "deliveredAt" IS NULL;

-- ---------------------------------------------------------------------------------------------------------------------------
-- 6. Trigram indexes
-- ---------------------------------------------------------------------------------------------------------------------------

-- The searches of the admin panel and of a seller's orders find a word anywhere in a text, which only a trigram index can speed
-- up. The extension comes with every Postgres, but the owner of a database may not be allowed to add it. The searches then work
-- without it and are slower on large tables.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  EXECUTE 'CREATE INDEX "User_searchText_idx" ON "User" USING gin ("searchText" gin_trgm_ops)';
  EXECUTE 'CREATE INDEX "Drop_searchText_idx" ON "Drop" USING gin ("searchText" gin_trgm_ops)';
  EXECUTE 'CREATE INDEX "Order_searchText_idx" ON "Order" USING gin ("searchText" gin_trgm_ops) WHERE "paidAt" IS NOT NULL';
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: searches are slower on large tables';
END $$;
