import { Fragment } from 'react'

/** Shows an email address. A line that is too narrow for the address ends before "@" or after a dot or a plus sign. */
export function EmailAddress({ children }: { children: string }) {
  return children.split(/(?=@)|(?<=[.+])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ))
}
