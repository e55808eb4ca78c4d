-- The start of the schema: everything a new database needs, in one script.
--
--   1. Tables, as `npx prisma migrate diff --from-empty --to-schema prisma/schema --script` prints them, without the two trigram
--      indexes, which part 6 creates only where that is possible
--   2. What Prisma cannot say of a table, and first rows
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
CREATE TYPE "SellerKind" AS ENUM ('private', 'business');

-- CreateEnum
CREATE TYPE "TokenPurpose" AS ENUM ('passwordReset', 'emailConfirm', 'emailChange', 'emailUndo');

-- CreateEnum
CREATE TYPE "PayoutsState" AS ENUM ('notStarted', 'incomplete', 'review', 'paused', 'ready', 'disconnected');

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
CREATE TYPE "CheckoutMode" AS ENUM ('hosted', 'embedded');

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
    "stripeAccountTry" INTEGER NOT NULL DEFAULT 0,
    "payoutsReadyAt" TIMESTAMPTZ(3),
    "payoutsConnectedAt" TIMESTAMPTZ(3),
    "payoutsHeldUntil" TIMESTAMPTZ(3),
    "payoutsState" "PayoutsState" NOT NULL DEFAULT 'notStarted',
    "payoutsCheckDueAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),
    "searchText" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PublicProfile" (
    "userId" INTEGER NOT NULL,
    "about" TEXT NOT NULL DEFAULT '',
    "links" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PublicProfile_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "SellerDetails" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "kind" "SellerKind" NOT NULL,
    "country" TEXT NOT NULL,
    "legalName" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "phone" TEXT NOT NULL DEFAULT '',
    "register" TEXT NOT NULL DEFAULT '',
    "vatId" TEXT NOT NULL DEFAULT '',
    "isCertified" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SellerDetails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TaxRate" (
    "userId" INTEGER NOT NULL,
    "country" TEXT NOT NULL,
    "rateBps" INTEGER NOT NULL,
    "fromDay" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "TaxRate_pkey" PRIMARY KEY ("userId","country","fromDay")
);

-- CreateTable
CREATE TABLE "Follower" (
    "id" SERIAL NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "mailbox" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "askedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmedAt" TIMESTAMPTZ(3),
    "page" TEXT NOT NULL,
    "consentText" TEXT NOT NULL,
    "timezone" TEXT,

    CONSTRAINT "Follower_pkey" PRIMARY KEY ("id")
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
    "wasConfirmed" BOOLEAN NOT NULL DEFAULT true,

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
CREATE TABLE "Passkey" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "passwordMark" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SpentChallenge" (
    "hash" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SpentChallenge_pkey" PRIMARY KEY ("hash")
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
    "cancelAt" TIMESTAMPTZ(3),
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
    "creationHash" TEXT,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "productType" "ProductType" NOT NULL,
    "priceCents" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "sold" INTEGER NOT NULL DEFAULT 0,
    "held" INTEGER NOT NULL DEFAULT 0,
    "contestedSince" TIMESTAMPTZ(3),
    "duration" INTEGER NOT NULL,
    "maxPerBuyer" INTEGER,
    "isNumbered" BOOLEAN NOT NULL DEFAULT false,
    "isOpenEdition" BOOLEAN NOT NULL DEFAULT false,
    "keysGiven" INTEGER,
    "optionName" TEXT,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endTime" TIMESTAMPTZ(3) NOT NULL,
    "earlyMinutes" INTEGER,
    "earlyUnits" INTEGER,
    "earlyTaken" INTEGER NOT NULL DEFAULT 0,
    "run" INTEGER NOT NULL DEFAULT 1,
    "shippingNote" TEXT NOT NULL DEFAULT '',
    "shipsFrom" TEXT,
    "shipsWithin" INTEGER,
    "shippingZones" JSONB,
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
    "recapDueAt" TIMESTAMPTZ(3),
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endTime" TIMESTAMPTZ(3) NOT NULL,
    "firstEndTime" TIMESTAMPTZ(3),
    "soldOutAt" TIMESTAMPTZ(3),
    "earlyMinutes" INTEGER,

    CONSTRAINT "DropRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EditionNumber" (
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "orderId" TEXT NOT NULL,

    CONSTRAINT "EditionNumber_pkey" PRIMARY KEY ("dropId","run","number")
);

-- CreateTable
CREATE TABLE "DropKey" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "orderId" TEXT,
    "givenAt" TIMESTAMPTZ(3),
    "shownAt" TIMESTAMPTZ(3),
    "shownIp" TEXT NOT NULL DEFAULT '',
    "shownAgent" TEXT NOT NULL DEFAULT '',
    "voidedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DropKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunChange" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reason" TEXT NOT NULL,
    "authorId" INTEGER,
    "startBefore" TIMESTAMPTZ(3),
    "startAfter" TIMESTAMPTZ(3),
    "endBefore" TIMESTAMPTZ(3),
    "endAfter" TIMESTAMPTZ(3),
    "unitsBefore" INTEGER,
    "unitsAfter" INTEGER,
    "values" JSONB,

    CONSTRAINT "RunChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OptionValue" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "sold" INTEGER NOT NULL DEFAULT 0,
    "held" INTEGER NOT NULL DEFAULT 0,
    "contestedSince" TIMESTAMPTZ(3),

    CONSTRAINT "OptionValue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DiscountCode" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "percent" INTEGER,
    "offCents" INTEGER,
    "maxUses" INTEGER,
    "perBuyer" INTEGER,
    "endsAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "used" INTEGER NOT NULL DEFAULT 0,
    "discountedCents" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DiscountCode_pkey" PRIMARY KEY ("id")
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
    "refused" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "DropHour_pkey" PRIMARY KEY ("dropId","hour","source")
);

-- CreateTable
CREATE TABLE "WaitlistEntry" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "mailbox" TEXT,
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
    "valueId" INTEGER,
    "askedValueId" INTEGER,
    "originKey" TEXT,
    "askedStart" BOOLEAN NOT NULL DEFAULT false,
    "waitsForStart" BOOLEAN NOT NULL DEFAULT false,
    "timezone" TEXT,

    CONSTRAINT "WaitlistEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FollowerNotice" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "namedTime" TIMESTAMPTZ(3) NOT NULL,
    "lastFollowerId" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "doneAt" TIMESTAMPTZ(3),

    CONSTRAINT "FollowerNotice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EarlyLink" (
    "id" SERIAL NOT NULL,
    "dropId" INTEGER NOT NULL,
    "followerId" INTEGER,
    "mailboxKey" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "EarlyLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Hold" (
    "id" TEXT NOT NULL,
    "dropId" INTEGER NOT NULL,
    "run" INTEGER NOT NULL,
    "mode" "CheckoutMode" NOT NULL,
    "buyerKey" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "state" "HoldState" NOT NULL DEFAULT 'held',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "settledAt" TIMESTAMPTZ(3),
    "reason" TEXT,
    "source" TEXT NOT NULL DEFAULT 'direct',
    "originKey" TEXT,
    "claimKey" TEXT,
    "isContested" BOOLEAN NOT NULL DEFAULT false,
    "workId" TEXT,
    "opensAt" TIMESTAMPTZ(3),
    "openingSince" TIMESTAMPTZ(3),
    "tapId" TEXT,
    "valueId" INTEGER,
    "codeId" INTEGER,
    "earlyLinkId" INTEGER,

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
    "optionName" TEXT,
    "optionValue" TEXT,
    "productType" "ProductType" NOT NULL,
    "quantity" INTEGER NOT NULL,
    "unitPriceCents" INTEGER NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "discountCode" TEXT,
    "discountCents" INTEGER NOT NULL DEFAULT 0,
    "isEarly" BOOLEAN NOT NULL DEFAULT false,
    "platformFeeBps" INTEGER NOT NULL,
    "platformFeeCents" INTEGER NOT NULL,
    "sellerPayoutCents" INTEGER NOT NULL,
    "taxCents" INTEGER NOT NULL DEFAULT 0,
    "sellerPlan" "Plan" NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'usd',
    "cardFeeCents" INTEGER,
    "settlementCurrency" TEXT,
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
    "billingCountry" TEXT,
    "shipsFrom" TEXT,
    "shipsBy" TIMESTAMPTZ(3),
    "shipsTo" TEXT,
    "shippingCents" INTEGER NOT NULL DEFAULT 0,
    "addressVersion" INTEGER NOT NULL DEFAULT 0,
    "slipVersion" INTEGER,
    "carrier" TEXT,
    "trackingNumber" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paidAt" TIMESTAMPTZ(3),
    "shippedAt" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "deliveredBy" TEXT,
    "disputedAt" TIMESTAMPTZ(3),
    "lateRefundAt" TIMESTAMPTZ(3),
    "shipNudgedAt" TIMESTAMPTZ(3),
    "mailboxKey" TEXT,
    "cardKey" TEXT,
    "searchText" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "Order_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ShippingDelay" (
    "id" SERIAL NOT NULL,
    "orderId" TEXT NOT NULL,
    "missedDay" TIMESTAMPTZ(3) NOT NULL,
    "newDay" TIMESTAMPTZ(3) NOT NULL,
    "isProposed" BOOLEAN NOT NULL DEFAULT false,
    "askedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answerBy" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "answeredAt" TIMESTAMPTZ(3),

    CONSTRAINT "ShippingDelay_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AddressChange" (
    "orderId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "isUndo" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AddressChange_pkey" PRIMARY KEY ("orderId","version")
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
    "shippingCents" INTEGER NOT NULL DEFAULT 0,
    "requestedBy" TEXT NOT NULL,
    "stripeRefundId" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
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
    "deductedCents" INTEGER NOT NULL DEFAULT 0,
    "feeOwedCents" INTEGER NOT NULL DEFAULT 0,
    "withheldCents" INTEGER NOT NULL DEFAULT 0,
    "recoveredCents" INTEGER NOT NULL DEFAULT 0,
    "sentCents" INTEGER,
    "frozenAt" TIMESTAMPTZ(3),
    "destination" TEXT,
    "reversedAtStripeCents" INTEGER NOT NULL DEFAULT 0,
    "reversalRefusedAt" TIMESTAMPTZ(3),
    "sentAgainCents" INTEGER NOT NULL DEFAULT 0,
    "againTransferIds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastError" TEXT,
    "state" "TransferState" NOT NULL DEFAULT 'waiting',
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "stripeTransferId" TEXT,
    "paidByHandAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Transfer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PayoutOffset" (
    "id" TEXT NOT NULL,
    "sellerId" INTEGER NOT NULL,
    "fromTransferId" TEXT NOT NULL,
    "forTransferId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PayoutOffset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HandPayment" (
    "id" TEXT NOT NULL,
    "transferId" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reference" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HandPayment_pkey" PRIMARY KEY ("id")
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
    "account" TEXT,
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
    "expiresAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "isBulk" BOOLEAN NOT NULL DEFAULT false,
    "isUrgent" BOOLEAN NOT NULL DEFAULT false,
    "noticeId" INTEGER,

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
CREATE TABLE "ProfileReport" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "category" TEXT NOT NULL,
    "details" TEXT NOT NULL DEFAULT '',
    "state" "ReviewState" NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decidedAt" TIMESTAMPTZ(3),
    "decidedBy" INTEGER,

    CONSTRAINT "ProfileReport_pkey" PRIMARY KEY ("id")
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
CREATE TABLE "StripeLine" (
    "id" INTEGER NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "slowUntil" TIMESTAMPTZ(3),

    CONSTRAINT "StripeLine_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "JobLease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "JobLease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "PolicyReport" (
    "directive" TEXT NOT NULL,
    "blocked" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 1,
    "lastAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PolicyReport_pkey" PRIMARY KEY ("directive","blocked","page")
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
CREATE INDEX "SellerDetails_userId_id_idx" ON "SellerDetails"("userId", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Follower_tokenHash_key" ON "Follower"("tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "Follower_sellerId_mailbox_key" ON "Follower"("sellerId", "mailbox");

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
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

-- CreateIndex
CREATE INDEX "SpentChallenge_expiresAt_idx" ON "SpentChallenge"("expiresAt");

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
CREATE INDEX "Drop_startedAt_idx" ON "Drop"("startedAt");

-- CreateIndex
CREATE INDEX "Drop_createdAt_id_idx" ON "Drop"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Drop_productType_id_idx" ON "Drop"("productType", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Drop_userId_creationKey_key" ON "Drop"("userId", "creationKey");

-- CreateIndex
CREATE UNIQUE INDEX "DropRun_dropId_run_key" ON "DropRun"("dropId", "run");

-- CreateIndex
CREATE INDEX "EditionNumber_orderId_idx" ON "EditionNumber"("orderId");

-- CreateIndex
CREATE INDEX "DropKey_orderId_idx" ON "DropKey"("orderId");

-- CreateIndex
CREATE UNIQUE INDEX "DropKey_dropId_key_key" ON "DropKey"("dropId", "key");

-- CreateIndex
CREATE INDEX "RunChange_dropId_run_idx" ON "RunChange"("dropId", "run");

-- CreateIndex
CREATE UNIQUE INDEX "DiscountCode_dropId_code_key" ON "DiscountCode"("dropId", "code");

-- CreateIndex
CREATE UNIQUE INDEX "DropImage_key_key" ON "DropImage"("key");

-- CreateIndex
CREATE UNIQUE INDEX "DropImage_dropId_position_key" ON "DropImage"("dropId", "position");

-- CreateIndex
CREATE UNIQUE INDEX "DigitalFile_storageKey_key" ON "DigitalFile"("storageKey");

-- CreateIndex
CREATE INDEX "StoredObject_claimedAt_createdAt_idx" ON "StoredObject"("claimedAt", "createdAt");

-- CreateIndex
CREATE INDEX "StoredObject_ownerId_idx" ON "StoredObject"("ownerId");

-- CreateIndex
CREATE INDEX "DropView_day_idx" ON "DropView"("day");

-- CreateIndex
CREATE INDEX "DropTap_day_idx" ON "DropTap"("day");

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
CREATE UNIQUE INDEX "WaitlistEntry_dropId_mailbox_key" ON "WaitlistEntry"("dropId", "mailbox");

-- CreateIndex
CREATE UNIQUE INDEX "FollowerNotice_dropId_kind_key" ON "FollowerNotice"("dropId", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "EarlyLink_tokenHash_key" ON "EarlyLink"("tokenHash");

-- CreateIndex
CREATE INDEX "EarlyLink_followerId_idx" ON "EarlyLink"("followerId");

-- CreateIndex
CREATE UNIQUE INDEX "EarlyLink_dropId_mailboxKey_key" ON "EarlyLink"("dropId", "mailboxKey");

-- CreateIndex
CREATE UNIQUE INDEX "Hold_workId_key" ON "Hold"("workId");

-- CreateIndex
CREATE INDEX "Hold_dropId_buyerKey_idx" ON "Hold"("dropId", "buyerKey");

-- CreateIndex
CREATE INDEX "Hold_originKey_idx" ON "Hold"("originKey");

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
CREATE INDEX "Order_dropId_mailboxKey_idx" ON "Order"("dropId", "mailboxKey");

-- CreateIndex
CREATE INDEX "Order_dropId_cardKey_idx" ON "Order"("dropId", "cardKey");

-- CreateIndex
CREATE INDEX "Order_status_createdAt_idx" ON "Order"("status", "createdAt");

-- CreateIndex
CREATE INDEX "Order_createdAt_id_idx" ON "Order"("createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "ShippingDelay_orderId_missedDay_key" ON "ShippingDelay"("orderId", "missedDay");

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
CREATE INDEX "PayoutOffset_fromTransferId_idx" ON "PayoutOffset"("fromTransferId");

-- CreateIndex
CREATE INDEX "PayoutOffset_forTransferId_idx" ON "PayoutOffset"("forTransferId");

-- CreateIndex
CREATE UNIQUE INDEX "HandPayment_transferId_reference_key" ON "HandPayment"("transferId", "reference");

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
CREATE INDEX "ProfileReport_state_createdAt_idx" ON "ProfileReport"("state", "createdAt");

-- CreateIndex
CREATE INDEX "ProfileReport_userId_idx" ON "ProfileReport"("userId");

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
ALTER TABLE "PublicProfile" ADD CONSTRAINT "PublicProfile_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SellerDetails" ADD CONSTRAINT "SellerDetails_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Follower" ADD CONSTRAINT "Follower_sellerId_fkey" FOREIGN KEY ("sellerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Token" ADD CONSTRAINT "Token_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TotpCredential" ADD CONSTRAINT "TotpCredential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UpgradeCheckout" ADD CONSTRAINT "UpgradeCheckout_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropRun" ADD CONSTRAINT "DropRun_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EditionNumber" ADD CONSTRAINT "EditionNumber_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EditionNumber" ADD CONSTRAINT "EditionNumber_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropKey" ADD CONSTRAINT "DropKey_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DropKey" ADD CONSTRAINT "DropKey_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunChange" ADD CONSTRAINT "RunChange_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "WaitlistEntry" ADD CONSTRAINT "WaitlistEntry_valueId_fkey" FOREIGN KEY ("valueId") REFERENCES "OptionValue"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FollowerNotice" ADD CONSTRAINT "FollowerNotice_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EarlyLink" ADD CONSTRAINT "EarlyLink_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "EarlyLink" ADD CONSTRAINT "EarlyLink_followerId_fkey" FOREIGN KEY ("followerId") REFERENCES "Follower"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_valueId_fkey" FOREIGN KEY ("valueId") REFERENCES "OptionValue"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_codeId_fkey" FOREIGN KEY ("codeId") REFERENCES "DiscountCode"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_earlyLinkId_fkey" FOREIGN KEY ("earlyLinkId") REFERENCES "EarlyLink"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_holdId_fkey" FOREIGN KEY ("holdId") REFERENCES "Hold"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_dropId_fkey" FOREIGN KEY ("dropId") REFERENCES "Drop"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_sellerId_fkey" FOREIGN KEY ("sellerId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShippingDelay" ADD CONSTRAINT "ShippingDelay_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AddressChange" ADD CONSTRAINT "AddressChange_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PayoutOffset" ADD CONSTRAINT "PayoutOffset_fromTransferId_fkey" FOREIGN KEY ("fromTransferId") REFERENCES "Transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PayoutOffset" ADD CONSTRAINT "PayoutOffset_forTransferId_fkey" FOREIGN KEY ("forTransferId") REFERENCES "Transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HandPayment" ADD CONSTRAINT "HandPayment_transferId_fkey" FOREIGN KEY ("transferId") REFERENCES "Transfer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Dispute" ADD CONSTRAINT "Dispute_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Download" ADD CONSTRAINT "Download_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PurchaseRecord" ADD CONSTRAINT "PurchaseRecord_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProfileReport" ADD CONSTRAINT "ProfileReport_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Strike" ADD CONSTRAINT "Strike_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Appeal" ADD CONSTRAINT "Appeal_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ---------------------------------------------------------------------------------------------------------------------------
-- 2. What Prisma cannot say of a table, and first rows
-- ---------------------------------------------------------------------------------------------------------------------------

-- The line of buyers who wait for their checkout is the same for all processes (ADR 0052). It is written once per checkout and is worth
-- nothing after a crash, so it is not logged: Postgres empties it then, and the line begins anew.
ALTER TABLE "StripeLine" SET UNLOGGED;

-- A list is empty and never absent. Prisma calls no list required, and code that reads an absent one would fail.
ALTER TABLE "PublicProfile" ALTER COLUMN "links" SET NOT NULL;
ALTER TABLE "Transfer" ALTER COLUMN "againTransferIds" SET NOT NULL;

COMMENT ON COLUMN "Transfer"."paidByHandAt" IS 'Since when the payout has been paid by hand, or needs no payment by hand because all of it was withheld.';

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
-- made of digits only could be taken for the id of another drop.
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

-- A limit per buyer that no order could reach, or that forbids every order, would be a mistake of the seller.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_maxPerBuyer" CHECK ("maxPerBuyer" BETWEEN 1 AND 10);

-- The name of an option fits on a packing slip. Buyers could not make sense of a choice without a name.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_optionName" CHECK (char_length("optionName") BETWEEN 1 AND 20);

-- The units of a numbered drop have numbers (ADR 0056). A service has no units that could have one.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_numbered" CHECK (NOT "isNumbered" OR "productType" <> 'service');

-- Only a digital drop without an option has keys (ADR 0061). A key of a drop with an option would belong to no value.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_keys" CHECK ("keysGiven" IS NULL OR ("keysGiven" >= 0 AND "productType" = 'digital' AND "optionName" IS NULL));

-- An open edition closes for ever, so it has one run. It has one stock, so it has neither an option nor a list of keys (ADR 0064).
-- Without the check a second run could be launched, although buyers were promised that there is none.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_open_edition" CHECK (NOT "isOpenEdition" OR ("run" = 1 AND "optionName" IS NULL AND "keysGiven" IS NULL));

-- A promise to ship within zero days or within years would be refunded at once or never. The limit is MAX_SHIP_DAYS in
-- lib/drops/ship-rules.ts.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_shipsWithin_check" CHECK ("shipsWithin" BETWEEN 1 AND 60);

-- The minutes and the units of early access belong together, and only the offered minutes exist (ADR 0066). The form could not
-- show other values.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_early" CHECK (
  ("earlyMinutes" IS NULL) = ("earlyUnits" IS NULL) AND "earlyMinutes" IN (30, 60, 90, 120) AND "earlyUnits" >= 1);
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_early_taken" CHECK ("earlyTaken" >= 0);

-- Whether a document is a list of one to three zones, each with a surcharge in cents and its countries, where no country is in two
-- zones. The limits are MAX_ZONES in lib/drops/zone-rules.ts and MAX_PRICE_CENTS in lib/kernel/money.ts.
CREATE FUNCTION is_zone_list(zones JSONB) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(zones) <> 'array' OR jsonb_array_length(zones) NOT BETWEEN 1 AND 3 THEN false
    WHEN EXISTS (SELECT FROM jsonb_array_elements(zones) z
                  WHERE jsonb_typeof(z) <> 'object' OR z - 'cents' - 'countries' <> '{}'::jsonb
                     OR jsonb_typeof(z -> 'cents') IS DISTINCT FROM 'number' OR jsonb_typeof(z -> 'countries') IS DISTINCT FROM 'array') THEN false
    ELSE (SELECT bool_and((z ->> 'cents') ~ '^[0-9]{1,8}$' AND jsonb_array_length(z -> 'countries') >= 1) FROM jsonb_array_elements(zones) z)
     AND (SELECT bool_and(jsonb_typeof(c) = 'string' AND (c #>> '{}') ~ '^[A-Z]{2}$') AND count(*) = count(DISTINCT c)
            FROM jsonb_array_elements(zones) z, jsonb_array_elements(z -> 'countries') c)
    END
$$;

-- A statement that holds units reads the surcharge for shipping from this column (ADR 0067). A country in two zones would have two
-- prices, and other content would charge nothing or fail.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_shippingZones_check" CHECK ("shippingZones" IS NULL OR ("productType" = 'physical' AND is_zone_list("shippingZones")));

-- Counters never become negative. A negative one would mean that something was subtracted twice.
ALTER TABLE "Drop" ADD CONSTRAINT "Drop_counters" CHECK ("views" >= 0 AND "purchases" >= 0);

-- A run sells at most its own stock. Otherwise the analytics of a run would show more sales than it had units.
ALTER TABLE "DropRun" ADD CONSTRAINT "DropRun_stock" CHECK ("sold" >= 0 AND "sold" <= "quantity");

-- Pages read every element of this list of changed values. A text or an object in its place could make the page of a drop fail.
ALTER TABLE "RunChange" ADD CONSTRAINT "RunChange_values_check" CHECK ("values" IS NULL OR jsonb_typeof("values") = 'array');

-- Units sold and units held never exceed the stock of their value. As on the drop, this is the last line of defence: the check of the
-- drop would not notice that seven of five M were sold while another size is left.
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_stock" CHECK ("sold" >= 0 AND "held" >= 0 AND "sold" + "held" <= "quantity");

-- A value may have no unit left in a new run, and has at most as many units as a drop.
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_quantity" CHECK ("quantity" BETWEEN 0 AND 1000000);

-- A value fits on a packing slip. An empty one could not be chosen.
ALTER TABLE "OptionValue" ADD CONSTRAINT "OptionValue_value" CHECK (char_length("value") BETWEEN 1 AND 30);

-- A discount code is never used more often than its seller allowed. As with stock, the statements check it first; without this last
-- line of defence, a mistake in one of them could give the last use to two buyers.
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_uses" CHECK ("used" >= 0 AND ("maxUses" IS NULL OR "used" <= "maxUses") AND "discountedCents" >= 0);

-- A code is a percentage or an amount, within the limits of the form. With both or neither, nobody could say what buyers pay.
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_discount" CHECK (("percent" IS NULL) <> ("offCents" IS NULL) AND "percent" BETWEEN 1 AND 90 AND "offCents" BETWEEN 1 AND 99999999);
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_limits" CHECK ("maxUses" BETWEEN 1 AND 10000 AND "perBuyer" BETWEEN 1 AND 10);

-- Codes are stored in one spelling. Another one would be a second code that no buyer could reach.
ALTER TABLE "DiscountCode" ADD CONSTRAINT "DiscountCode_code" CHECK ("code" ~ '^[A-Z0-9][A-Z0-9-]{1,18}[A-Z0-9]$');

-- The numbers of an edition begin at one. A number of zero on a receipt would be a mistake that cannot be corrected any more.
ALTER TABLE "EditionNumber" ADD CONSTRAINT "EditionNumber_first" CHECK ("number" >= 1);

-- A key is given to an order, then shown to its buyer, then perhaps void after a refund, in this sequence. Without the check, a key
-- could count as shown although it is free, and two buyers could get it.
ALTER TABLE "DropKey" ADD CONSTRAINT "DropKey_states" CHECK (("orderId" IS NULL) = ("givenAt" IS NULL) AND ("shownAt" IS NULL OR "orderId" IS NOT NULL)
      AND ("voidedAt" IS NULL OR "shownAt" IS NOT NULL));

-- There are three kinds of emails to followers about a drop. A fourth kind would be a fourth email (ADR 0058).
ALTER TABLE "FollowerNotice" ADD CONSTRAINT "FollowerNotice_kind_check" CHECK ("kind" IN ('scheduled', 'live', 'lastHour'));

-- A drop has at most five pictures, at the positions 0 to 4. The gallery has no place for a sixth one.
ALTER TABLE "DropImage" ADD CONSTRAINT "DropImage_position" CHECK ("position" BETWEEN 0 AND 4);

-- One buyer can hold at most ten units at a time. Without the limit a single visitor could reserve the whole stock, and the
-- amount of an order could exceed what an integer column holds.
ALTER TABLE "Hold" ADD CONSTRAINT "Hold_quantity" CHECK ("quantity" BETWEEN 1 AND 10);

-- The amounts of an order add up to the cent: price times quantity and the surcharge for shipping are what the buyer pays, and
-- platform fee plus seller's payout is the same amount again. Without this check a rounding mistake would pay out more or less than
-- was received.
ALTER TABLE "Order" ADD CONSTRAINT "Order_money" CHECK (
  "amountCents" = "unitPriceCents" * "quantity" + "shippingCents" AND "amountCents" > 0
  AND "platformFeeCents" >= 0 AND "sellerPayoutCents" >= 0
  AND "platformFeeCents" + "sellerPayoutCents" = "amountCents"
  AND "platformFeeBps" BETWEEN 0 AND 10000
  AND "refundedCents" BETWEEN 0 AND "amountCents"
  AND "currency" = 'usd'
);

-- A surcharge without a country would be charged for a parcel that may go anywhere, and only parcels go to a country.
ALTER TABLE "Order" ADD CONSTRAINT "Order_shipping" CHECK (
  "shippingCents" >= 0 AND ("shippingCents" = 0 OR "shipsTo" IS NOT NULL) AND ("shipsTo" IS NULL OR "productType" = 'physical')
);

-- An order has both the name of the option and the chosen value, or neither. With one alone, nobody could say what was bought.
ALTER TABLE "Order" ADD CONSTRAINT "Order_option" CHECK (("optionName" IS NULL) = ("optionValue" IS NULL));

-- An order has a code and a discount, or neither. A discount without a code could not be explained to the seller.
ALTER TABLE "Order" ADD CONSTRAINT "Order_discount" CHECK ("discountCents" >= 0 AND ("discountCode" IS NULL) = ("discountCents" = 0));

-- No discount leads below the smallest amount that Stripe charges. Stripe would refuse the checkout, and the units would be held for
-- nobody.
ALTER TABLE "Order" ADD CONSTRAINT "Order_discounted_price" CHECK ("discountCode" IS NULL OR "unitPriceCents" >= 50);

-- The tax that Stripe Tax found is withheld as a part of the platform's fee. Without this, a tax could be recorded that was paid out to
-- the seller.
ALTER TABLE "Order" ADD CONSTRAINT "Order_tax" CHECK ("taxCents" BETWEEN 0 AND "platformFeeCents");

-- Only parcels have a day by which they are shipped. An order for a download with a day in this column would be refunded as late.
ALTER TABLE "Order" ADD CONSTRAINT "Order_shipsBy_physical_check" CHECK ("shipsBy" IS NULL OR "productType" = 'physical');

-- An order is shipped or refunded as late, never both (ADR 0063). Without this constraint, an order could be shipped whose money is
-- on its way back to the buyer.
ALTER TABLE "Order" ADD CONSTRAINT "Order_late_not_shipped_check" CHECK ("lateRefundAt" IS NULL OR "shippedAt" IS NULL);

-- An answer without a time, or a time without an answer, would be asked again or refunded again.
ALTER TABLE "ShippingDelay" ADD CONSTRAINT "ShippingDelay_answer_check"
  CHECK (("answer" IS NULL) = ("answeredAt" IS NULL) AND "answer" IN ('wait', 'refund', 'silence'));

-- An order has a payment date exactly when it is neither pending nor expired. Many queries use one for the other; if they
-- disagreed, an unpaid order could be shipped or a paid one forgotten.
ALTER TABLE "Order" ADD CONSTRAINT "Order_paid" CHECK (("paidAt" IS NULL) = ("status" IN ('pending', 'expired')));

-- A delivery is confirmed by the buyer or the seller, and then its date is known. The order page shows both.
ALTER TABLE "Order" ADD CONSTRAINT "Order_delivered" CHECK ("deliveredBy" IS NULL OR ("deliveredBy" IN ('buyer', 'seller') AND "deliveredAt" IS NOT NULL));

-- A refund returns something, and the fee the platform gives back is at most the refunded amount. Otherwise the seller's part of
-- the refund would be negative.
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_money" CHECK (
  "amountCents" > 0 AND "platformFeeCents" >= 0 AND "platformFeeCents" <= "amountCents"
);

-- A refund can only add units to the stock. A negative number would take units away from other buyers.
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_restock" CHECK ("restockUnits" >= 0);

-- The part of a refund that returns the surcharge for shipping is not larger than the refund. A larger part would take units off that
-- other refunds returned.
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_shipping" CHECK ("shippingCents" BETWEEN 0 AND "amountCents");

-- Refunds and disputes take no more of a payout than the payout was.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_money" CHECK (
  "amountCents" >= 0 AND "deductedCents" BETWEEN 0 AND "amountCents"
);

-- No more comes back by reversals than was sent. Otherwise Stripe would be asked for a reversal that it must refuse.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_sent" CHECK (
  ("sentCents" IS NULL OR "sentCents" >= 0)
  AND "sentAgainCents" >= 0 AND "reversedAtStripeCents" BETWEEN 0 AND coalesce("sentCents", 0) + "sentAgainCents"
);

-- What a seller owes for an order is never negative. A negative debt would be paid out as if it were a sale.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_debt" CHECK (
  "feeOwedCents" >= 0 AND "withheldCents" >= 0 AND "recoveredCents" >= 0
);

-- What was paid by hand was never sent by Stripe: a payout with both would be paid twice.
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_hand" CHECK (
  "paidByHandAt" IS NULL OR ("sentCents" IS NOT NULL AND "sentAt" IS NOT NULL AND "stripeTransferId" IS NULL
    AND "destination" IS NULL AND cardinality("againTransferIds") = 0)
);

-- A payment by hand has an amount, and a reference by which the administrator finds it at the bank.
ALTER TABLE "HandPayment" ADD CONSTRAINT "HandPayment_money" CHECK ("amountCents" > 0 AND "reference" <> '');

-- A debt is withheld from another payout than the one that it belongs to. Withheld from itself, it would never be settled.
ALTER TABLE "PayoutOffset" ADD CONSTRAINT "PayoutOffset_money" CHECK ("amountCents" > 0 AND "fromTransferId" <> "forTransferId");

-- A public profile fits on the screen. The limits are those of lib/profiles/rules.ts.
ALTER TABLE "PublicProfile" ADD CONSTRAINT "PublicProfile_about_check" CHECK (char_length("about") <= 160);
ALTER TABLE "PublicProfile" ADD CONSTRAINT "PublicProfile_links_check" CHECK (cardinality("links") <= 3);

-- Buyers are shown a business only with everything that the law asks for (ADR 0068). Without this check, a faulty write could show
-- half of it.
ALTER TABLE "SellerDetails" ADD CONSTRAINT "SellerDetails_complete" CHECK (
  "country" ~ '^[A-Z]{2}$' AND ("kind" = 'private' OR ("legalName" <> '' AND "address" <> '' AND "email" <> '' AND "isCertified")));

-- A rate is from 0 to 50 %. A rate outside of this range would be a typing error that ends up in a tax return.
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_range" CHECK ("country" ~ '^[A-Z]{2}$' AND "rateBps" BETWEEN 0 AND 5000);

-- Days are compared as texts. A day that is written differently would be sorted wrongly, so that orders got the wrong rate.
ALTER TABLE "TaxRate" ADD CONSTRAINT "TaxRate_fromDay" CHECK ("fromDay" ~ '^(\d{4}-\d{2}-\d{2})?$');

-- The settings are a single row. With a second one, two processes could disagree on whether the platform is paused.
ALTER TABLE "PlatformSettings" ADD CONSTRAINT "PlatformSettings_single" CHECK ("id" = 1);

-- ---------------------------------------------------------------------------------------------------------------------------
-- 4. Functions and triggers
-- ---------------------------------------------------------------------------------------------------------------------------

-- The audit log only grows. Without this trigger, an attacker who took over the application could erase the traces.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- No unit is held or sold before the start (ADR 0054). During early access, units are taken only if they are counted as early units,
-- and never more of them than the seller allowed, so that at least one stays for the public (ADR 0066). The statement that takes
-- units has these conditions itself; the trigger also stops a statement that forgets them. The WHEN costs a sale one comparison.
CREATE FUNCTION "refuse_sale_before_start"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."earlyMinutes" IS NOT NULL
     AND NEW."startedAt" - make_interval(mins => NEW."earlyMinutes") <= now()
     AND NEW."earlyTaken" - OLD."earlyTaken" >= NEW."sold" + NEW."held" - OLD."sold" - OLD."held"
     AND NEW."earlyTaken" <= LEAST(NEW."earlyUnits", NEW."quantity" - 1) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'drop % has not started', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_started';
END $$;
CREATE TRIGGER "Drop_started" BEFORE UPDATE OF "sold", "held" ON "Drop" FOR EACH ROW
  WHEN (NEW."startedAt" > now() AND NEW."sold" + NEW."held" > OLD."sold" + OLD."held")
  EXECUTE FUNCTION "refuse_sale_before_start"();

-- A hold on a drop with an option names the value. Otherwise no one could say which units were sold, and the drop would no
-- longer be the sum of its values. Holds that are over may have lost their value, because the seller removed it.
CREATE FUNCTION refuse_hold_without_value() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM "Drop" d WHERE d."id" = NEW."dropId" AND d."optionName" IS NOT NULL) THEN
    RAISE EXCEPTION 'A hold on drop % has to name a value of its option.', NEW."dropId" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER hold_has_value BEFORE INSERT ON "Hold" FOR EACH ROW
  WHEN (NEW."valueId" IS NULL AND NEW."state" = 'held') EXECUTE FUNCTION refuse_hold_without_value();

-- Counts the units that one network has in checkout at a drop, after taking a lock for both that lasts until the end of the
-- transaction (ADR 0050). A statement sees only what was committed before it began; a function that is VOLATILE sees, after the lock,
-- what earlier holders of the lock have written. A hold therefore needs one statement, and its row of "Drop" is free again at once.
CREATE FUNCTION lock_units_in_checkout(origin_key text, drop_id integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF origin_key IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(origin_key, drop_id));
  RETURN (SELECT coalesce(sum(h."quantity"), 0) FROM "Hold" h
           WHERE h."originKey" = origin_key AND h."dropId" = drop_id AND h."state" = 'held');
END
$$;

-- The same count for one value of the drop's option. Both functions take the same lock, which a transaction gets only once, so a
-- statement may call them in any sequence.
CREATE FUNCTION lock_units_in_checkout(origin_key text, drop_id integer, value_id integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF origin_key IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(origin_key, drop_id));
  RETURN (SELECT coalesce(sum(h."quantity"), 0) FROM "Hold" h
           WHERE h."originKey" = origin_key AND h."dropId" = drop_id AND h."valueId" = value_id AND h."state" = 'held');
END
$$;

-- The end that a run was announced with is kept. Without it a run would look as if its end had never been moved.
CREATE FUNCTION "keep_first_end"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."firstEndTime" := COALESCE(NEW."firstEndTime", NEW."endTime");
  RETURN NEW;
END $$;
CREATE TRIGGER "DropRun_first_end" BEFORE INSERT ON "DropRun" FOR EACH ROW EXECUTE FUNCTION "keep_first_end"();

-- Records when the last unit of a run was sold, whatever statement sells it, puts a unit back on sale or adds units. It costs a sale
-- one comparison. Without it the page could not say how long a run took to sell out.
CREATE FUNCTION "note_sold_out"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."soldOutAt" := CASE WHEN NEW."sold" >= NEW."quantity" THEN now() END;
  RETURN NEW;
END $$;
CREATE TRIGGER "DropRun_sold_out" BEFORE UPDATE OF "sold", "quantity" ON "DropRun" FOR EACH ROW
  WHEN ((NEW."sold" >= NEW."quantity") <> (OLD."sold" >= OLD."quantity"))
  EXECUTE FUNCTION "note_sold_out"();

-- The numbers of a run are final once it is over: a later end would make "17 of 62" wrong on every receipt and slip (ADR 0056). A run
-- that has given no number can be put back on sale, because no receipt names its total. The clock is read when the row is changed:
-- now() is the start of the transaction, so a long transaction could move the end of a run that is over by then.
CREATE FUNCTION "refuse_reopened_edition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."isNumbered" AND NOT EXISTS (SELECT FROM "EditionNumber" e WHERE e."dropId" = NEW."id" AND e."run" = NEW."run") THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the numbers of drop % are final', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_edition_final';
END $$;
CREATE TRIGGER "Drop_edition_final" BEFORE UPDATE OF "endTime", "isNumbered" ON "Drop" FOR EACH ROW
  WHEN (OLD."isNumbered" AND OLD."run" = NEW."run"
    AND (NOT NEW."isNumbered" OR (OLD."endTime" <= clock_timestamp() AND NEW."endTime" > OLD."endTime")))
  EXECUTE FUNCTION "refuse_reopened_edition"();

-- The number of a unit is the number of units that its run has sold. If this count fell, the next payment would get a number that is
-- given already and would fail again and again.
CREATE FUNCTION "refuse_fewer_numbers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Drop" d WHERE d."id" = NEW."dropId" AND d."isNumbered") THEN
    RAISE EXCEPTION 'units of numbered drop % stay sold', NEW."dropId" USING ERRCODE = 'check_violation', CONSTRAINT = 'DropRun_numbers_stay';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "DropRun_numbers_stay" BEFORE UPDATE OF "sold" ON "DropRun" FOR EACH ROW
  WHEN (NEW."sold" < OLD."sold") EXECUTE FUNCTION "refuse_fewer_numbers"();

-- Buyers were promised that an open edition closes at its end and never returns (ADR 0064). Without the trigger, a mistake in the code
-- could break that promise. The clock is read when the row is changed, because a long transaction may have begun before the end.
CREATE FUNCTION "refuse_changed_open_edition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the terms of open edition % are final', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_open_edition_final';
END $$;
CREATE TRIGGER "Drop_open_edition_final" BEFORE UPDATE OF "endTime", "quantity", "isOpenEdition" ON "Drop" FOR EACH ROW
  WHEN (OLD."isOpenEdition" <> NEW."isOpenEdition" OR (OLD."isOpenEdition" AND (
    (OLD."endTime" <= clock_timestamp() AND NEW."endTime" > OLD."endTime")
    OR (OLD."purchases" > 0 AND NEW."quantity" > OLD."quantity"))))
  EXECUTE FUNCTION "refuse_changed_open_edition"();

-- A key that a buyer has seen stays with its order, and a key that an order has goes to another order only through the pool
-- (ADR 0061). Without this, a mistake in a statement could show one key to two buyers.
CREATE FUNCTION "refuse_second_owner"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'key % belongs to an order', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'DropKey_one_owner';
END $$;
CREATE TRIGGER "DropKey_one_owner" BEFORE UPDATE OF "orderId", "shownAt", "key", "dropId" ON "DropKey" FOR EACH ROW
  WHEN (NEW."key" <> OLD."key" OR NEW."dropId" <> OLD."dropId"
    OR (OLD."orderId" IS NOT NULL AND NEW."orderId" <> OLD."orderId")
    OR (OLD."shownAt" IS NOT NULL AND (NEW."orderId" IS NULL OR NEW."shownAt" IS NULL OR NEW."shownAt" <> OLD."shownAt")))
  EXECUTE FUNCTION "refuse_second_owner"();

-- A sale of a drop with keys gives one key for each unit. A sale that gives none is refused, and its payment is settled again.
CREATE FUNCTION "refuse_sale_without_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'each sold unit of drop % needs a key', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_keys_given';
END $$;
CREATE TRIGGER "Drop_keys_given" BEFORE UPDATE OF "sold" ON "Drop" FOR EACH ROW
  WHEN (NEW."sold" > OLD."sold" AND OLD."keysGiven" IS NOT NULL
    AND NEW."keysGiven" IS DISTINCT FROM OLD."keysGiven" + NEW."sold" - OLD."sold")
  EXECUTE FUNCTION "refuse_sale_without_key"();

-- No unit goes on sale without a free key, be it by a larger quantity, a refund or a new run. Its buyer would pay and get nothing.
CREATE FUNCTION "refuse_unit_without_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM "DropKey" k WHERE k."dropId" = NEW."id" AND k."orderId" IS NULL) >= NEW."quantity" - NEW."sold" THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'drop % has fewer keys than units', NEW."id" USING ERRCODE = 'check_violation', CONSTRAINT = 'Drop_keys_left';
END $$;
CREATE TRIGGER "Drop_keys_left" BEFORE UPDATE OF "quantity", "sold" ON "Drop" FOR EACH ROW
  WHEN (NEW."keysGiven" IS NOT NULL AND NEW."quantity" - NEW."sold" > OLD."quantity" - OLD."sold")
  EXECUTE FUNCTION "refuse_unit_without_key"();

-- An order of a drop with shipping zones is only paid when its country is known, because the country decides the amount (ADR 0067).
-- The order is refused here, before the buyer can pay, and the units are released.
CREATE FUNCTION order_needs_country() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "Drop" WHERE "id" = NEW."dropId" AND "shippingZones" IS NOT NULL) THEN
    RAISE EXCEPTION 'order % has no country to ship to', NEW."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Order_needs_country" BEFORE UPDATE OF "stripeSessionId", "stripePaymentIntentId" ON "Order"
  FOR EACH ROW WHEN (NEW."shipsTo" IS NULL AND NEW."productType" = 'physical' AND OLD."status" = 'pending' AND NEW."status" = 'pending'
    AND OLD."stripeSessionId" IS NULL AND OLD."stripePaymentIntentId" IS NULL
    AND (NEW."stripeSessionId" IS NOT NULL OR NEW."stripePaymentIntentId" IS NOT NULL))
  EXECUTE FUNCTION order_needs_country();

-- The address of a parcel that is on its way is evidence for the bank. A process that has read the order before it was shipped must
-- not change it any more.
CREATE FUNCTION order_address_is_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the address of order % cannot change any more', OLD."id" USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "Order_address_fixed" BEFORE UPDATE OF "addressVersion" ON "Order"
  FOR EACH ROW WHEN (OLD."addressVersion" IS DISTINCT FROM NEW."addressVersion" AND OLD."shippedAt" IS NOT NULL)
  EXECUTE FUNCTION order_address_is_fixed();

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

-- The pages of a seller's running drops say whether they may return, which auto-renew decides. Without this trigger the shared cache
-- would not forget them when the seller switches it, and open pages would show the change late.
CREATE FUNCTION "announce_renewal_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('drop_changed', concat_ws(' ', d."id", d."uniqueId", d."customSlug")) FROM "Drop" d
    WHERE d."userId" = NEW."id" AND d."hiddenAt" IS NULL AND d."endTime" > now() - interval '2 days';
  RETURN NULL;
END $$;
CREATE TRIGGER "User_announce_renewal" AFTER UPDATE OF "autoRenewDrops" ON "User" FOR EACH ROW
  WHEN (OLD."autoRenewDrops" <> NEW."autoRenewDrops") EXECUTE FUNCTION "announce_renewal_change"();

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

-- A personal link of early access is in one checkout at a time and buys once (ADR 0066). Two holds that use one link at the same
-- moment both pass the statement's own check; without this index both would be taken. A released hold gives the link back without
-- any further write.
CREATE UNIQUE INDEX "Hold_one_per_early_link" ON "Hold" ("earlyLinkId") WHERE "earlyLinkId" IS NOT NULL AND "state" <> 'released';

-- A value exists once per drop, in whatever case it is written (ADR 0053). With two alike a buyer's choice could mean either, and the
-- units of one would be sold as the other's. The index also finds the values of a drop.
CREATE UNIQUE INDEX "OptionValue_one_per_drop" ON "OptionValue" ("dropId", lower("value"));

-- Only one question about a late parcel can be open, so that an answer always belongs to the question that the buyer reads.
CREATE UNIQUE INDEX "ShippingDelay_open_some" ON "ShippingDelay" ("orderId") WHERE "answeredAt" IS NULL;

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

-- The job that mails recaps looks every 15 seconds for runs whose recap is due.
CREATE INDEX "DropRun_recap_idx" ON "DropRun" ("recapDueAt", "id") WHERE "recapDueAt" IS NOT NULL;

-- The job that gives units back looks for contests that are over, of drops and of values (ADR 0050). Nearly all rows have none.
CREATE INDEX "Drop_contested_idx" ON "Drop" ("id") WHERE "contestedSince" IS NOT NULL;
CREATE INDEX "OptionValue_contested_some" ON "OptionValue" ("id") WHERE "contestedSince" IS NOT NULL;

-- The filters of the admin lists of drops and accounts. The rows they select may be rare, so without these indexes a page of a
-- filtered list would read the whole table.
CREATE INDEX "Drop_admin_active_idx" ON "Drop" ("id") WHERE "isActive" AND "hiddenAt" IS NULL;
CREATE INDEX "Drop_admin_promoted_idx" ON "Drop" ("id") WHERE "isFeatured" OR "isPinned";
CREATE INDEX "Drop_admin_hidden_idx" ON "Drop" ("id") WHERE "hiddenAt" IS NOT NULL;
CREATE INDEX "Drop_admin_review_idx" ON "Drop" ("id") WHERE "moderation" <> 'allowed';
CREATE INDEX "User_suspended_idx" ON "User" ("id") WHERE "isSuspended";
CREATE INDEX "User_admin_idx" ON "User" ("id") WHERE "isAdmin";
CREATE INDEX "User_pro_idx" ON "User" ("id") WHERE "plan" = 'pro';

-- Administrators count and list the few sellers who have to connect payouts again.
CREATE INDEX "User_disconnected_idx" ON "User"("id") WHERE "payoutsState" = 'disconnected';

-- Four times a minute, the scheduler looks for ready accounts whose check at Stripe is due.
CREATE INDEX "User_payouts_check_idx" ON "User"("payoutsCheckDueAt" NULLS FIRST) WHERE "payoutsState" = 'ready';

-- The scheduler looks for orders of deleted accounts that became paid after the seller had left.
CREATE INDEX "User_deletedAt_idx" ON "User" ("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- The scheduler releases holds that have expired. Without this index stock would return late when there are many orders.
CREATE INDEX "Hold_open_idx" ON "Hold" ("expiresAt") WHERE "state" = 'held';

-- The sweep closes checkouts that may still be paid although their units are on sale again.
CREATE INDEX "Hold_yielded_idx" ON "Hold" ("expiresAt") WHERE "state" = 'released' AND "reason" = 'yielded';

-- While a drop is crowded, every hold asks whether its network keeps units without paying. The key of a network is forgotten after two
-- hours, so the index stays small.
CREATE INDEX "Hold_lasting_idx" ON "Hold" ("dropId", "createdAt") WHERE "state" <> 'sold' AND "originKey" IS NOT NULL;

-- The limits on claims count the units that a network has claimed.
CREATE INDEX "Hold_claim_idx" ON "Hold" ("claimKey") WHERE "claimKey" IS NOT NULL;

-- The limit per buyer of a discount code counts the orders that have it. Most holds have no code.
CREATE INDEX "Hold_codeId_some" ON "Hold" ("codeId") WHERE "codeId" IS NOT NULL;

-- When a seller removes a value, Postgres looks for its holds and its waiting people. Rows without a value, which are most of them,
-- are not in these indexes.
CREATE INDEX "Hold_valueId_some" ON "Hold" ("valueId") WHERE "valueId" IS NOT NULL;
CREATE INDEX "WaitlistEntry_valueId_some" ON "WaitlistEntry" ("valueId") WHERE "valueId" IS NOT NULL;

-- The retention job removes the personal data of unpaid holds, after a while. A row leaves the index when its data is removed, so a
-- run reads only what it removes. The next three indexes serve the same job.
CREATE INDEX "Hold_unpaid_kept_idx" ON "Hold" ("settledAt") WHERE "state" = 'released' AND "buyerKey" <> '';
CREATE INDEX "Session_revoked_idx" ON "Session" ("revokedAt") WHERE "revokedAt" IS NOT NULL;
CREATE INDEX "OutboxMail_kept_idx" ON "OutboxMail" ("createdAt") WHERE "to" <> '';
CREATE INDEX "OutboxMail_empty_idx" ON "OutboxMail" ("createdAt") WHERE "to" = '';

-- Every sign-up looks for links that may still give an account back to the new email address (ADR 0051).
CREATE INDEX "Token_undo_email_idx" ON "Token" ("email") WHERE "purpose" = 'emailUndo' AND "usedAt" IS NULL;

-- The queue of the waitlist: confirmed people of a drop, in the order in which they joined.
CREATE INDEX "WaitlistEntry_line_idx" ON "WaitlistEntry" ("dropId", "joinedAt", "id")
  WHERE "confirmedAt" IS NOT NULL AND "unsubscribedAt" IS NULL;

-- Finds the places in the line whose network can be forgotten. The index is empty for most of the time.
CREATE INDEX "WaitlistEntry_origin_some" ON "WaitlistEntry" ("dropId") WHERE "originKey" IS NOT NULL;

-- Emails about a drop go to the confirmed followers in the order of their ids. Every second the job asks which sellers have any.
CREATE INDEX "Follower_confirmed_some" ON "Follower" ("sellerId", "id") WHERE "confirmedAt" IS NOT NULL;

-- Finds the requests to follow that were not confirmed in time, which are deleted.
CREATE INDEX "Follower_unconfirmed_some" ON "Follower" ("askedAt") WHERE "confirmedAt" IS NULL;

-- The notices that the job is still working on. The index is empty for most of the time.
CREATE INDEX "FollowerNotice_open_some" ON "FollowerNotice" ("id") WHERE "doneAt" IS NULL;

-- Unsent emails of a notice are recalled when the drop may no longer be announced.
CREATE INDEX "OutboxMail_notice_unsent" ON "OutboxMail" ("noticeId") WHERE "noticeId" IS NOT NULL AND "sentAt" IS NULL;

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

-- The jobs look every few seconds for promised days and for answers that are due (ADR 0063).
CREATE INDEX "Order_promised_some" ON "Order" ("shipsBy") WHERE "shipsBy" IS NOT NULL AND "status" = 'paid';
CREATE INDEX "ShippingDelay_due_some" ON "ShippingDelay" ("answerBy") WHERE "answeredAt" IS NULL;

-- Finds the few refunded orders of a drop, for the pages that say how many of the sold units were refunded.
CREATE INDEX "Order_dropId_refunded_idx" ON "Order"("dropId") WHERE "refundedCents" > 0;

-- Finds the next free key of a drop, and counts the free ones (ADR 0061).
CREATE INDEX "DropKey_free_idx" ON "DropKey"("dropId", "id") WHERE "orderId" IS NULL;

-- The dashboard sums what waits for a payout and what was sent lately, and lists disputes that still need evidence.
CREATE INDEX "Transfer_seller_waiting_idx" ON "Transfer" ("sellerId") WHERE "state" = 'waiting';
CREATE INDEX "Transfer_seller_sent_idx" ON "Transfer" ("sellerId", "sentAt") WHERE "sentAt" IS NOT NULL;
CREATE INDEX "Dispute_unanswered_idx" ON "Dispute" ("orderId") WHERE "submittedAt" IS NULL AND "closedAt" IS NULL;

-- Finds the few payouts for which a seller may owe money. The predicate is that of payoutSums in lib/payouts/payout-sums.ts.
CREATE INDEX "Transfer_debt_idx" ON "Transfer"("sellerId")
  WHERE "feeOwedCents" > 0 OR "reversalRefusedAt" IS NOT NULL OR ("withheldCents" > 0 AND "deductedCents" > 0);

-- Finds the few payouts that were paid by hand and of which a part is due again, for all sellers and for one seller. The predicate is
-- that of payoutSums.isPaidShort in lib/payouts/payout-sums.ts.
CREATE INDEX "Transfer_paid_short_idx" ON "Transfer"("sellerId")
  WHERE "paidByHandAt" IS NOT NULL
    AND (coalesce("sentCents", 0) + "sentAgainCents" - "reversedAtStripeCents")
      < GREATEST(0, ("amountCents" - "deductedCents" - "feeOwedCents" - "withheldCents" + "recoveredCents"));

-- The scheduler asks Stripe again for processing fees that were not known at the time of payment.
CREATE INDEX "Order_fee_unknown_idx" ON "Order" ("paidAt") WHERE "paidAt" IS NOT NULL AND "cardFeeCents" IS NULL;

-- Administrators and sellers find an order by its reference, which is the end of its id, in any case.
CREATE INDEX "Order_reference_idx" ON "Order" (upper(right("id", 8)));

-- Administrators find the orders of a buyer by email address, in any case.
CREATE INDEX "Order_buyerEmail_lower_idx" ON "Order" (lower("buyerEmail")) WHERE "buyerEmail" IS NOT NULL;

-- Mail that waits to be sent. Bulk mail sorts last, so that a hundred thousand recaps do not delay a receipt.
CREATE INDEX "OutboxMail_due_idx" ON "OutboxMail" ("isBulk", "sendAfter") WHERE "sentAt" IS NULL;

-- Urgent mail has its own run of the sender, once a second.
CREATE INDEX "OutboxMail_urgent_idx" ON "OutboxMail" ("sendAfter") WHERE "sentAt" IS NULL AND "isUrgent";

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
