/** Warns the seller that the buyer has changed the address, and that a printed slip may have the earlier one. */
export function AddressNotice({ isSlipOutdated }: { isSlipOutdated: boolean }) {
  return (
    <section className="rounded-card border border-warn bg-warn/8 p-5">
      <h2 className="mb-1 text-lg font-bold">
        {isSlipOutdated ? 'Your printed slip has the old address' : 'Your buyer changed the address'}
      </h2>
      <p>
        {isSlipOutdated
          ? 'The buyer changed the address after you printed the slip. Print it again before you ship.'
          : 'Check that your label has the address on this page.'}
      </p>
    </section>
  )
}
