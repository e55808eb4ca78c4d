import type { LegalSection } from './legal-page'

/** The section of the terms about buying. */
export const buyingTerms: LegalSection = {
  id: 'buying',
  title: 'Buying',
  body: (
    <>
      <ul>
        <li>
          Prices are in US dollars and include shipping, unless the drop page names a surcharge for your country. You
          choose the country before you pay and see the total. If your shipping address is in another country, we refund
          you in full and don&apos;t place the order.
        </li>
        <li>
          A discount code belongs to one drop. The seller can limit how often the code is used, in total and per buyer,
          and can set an end. Each paid order uses the code once, even if the order is refunded later.
        </li>
        <li>
          A seller can limit how many units one buyer can have. Orders with the same email address or card count
          together. We refund an order above the limit, or above a code&apos;s limit per buyer, in full.
        </li>
        <li>
          With early access, a follower&apos;s personal link works for one order before the public start. The number of
          units that followers can buy early is limited, and the drop page says how many are reserved for everyone. The
          link is for that follower alone.
        </li>
        <li>
          When you check out, we reserve your units for 10 minutes, and on the hosted payment page for up to about 30
          minutes while enough units are left. When many people buy at once, that page says that someone else may get
          the last unit first. If the drop ends in the meantime, you can still pay until your reservation expires.
        </li>
        <li>
          If your payment arrives after your reservation ended and there is no unit for it anymore, we refund you in
          full automatically and email you.
        </li>
        <li>
          Every drop page says under its clock what we have recorded about it: earlier runs, changes of its end and its
          units, and a planned return. On a numbered drop each unit has its own number. A refunded number is retired.
        </li>
        <li>
          You can change the shipping address on your order page until the order ships, within the countries that cost
          the same to ship to.
        </li>
        <li>
          Your order page, linked in your receipt, shows the status, the file, link or key, tracking and refunds. Once
          you have seen a key, the seller can&apos;t sell it to anyone else, and may take that into account when you
          request a refund.
        </li>
      </ul>
    </>
  ),
}
