/** The paths of this site and the email addresses that become links in a reply. */
const LINKS =
  /(\/(?:login|forgot-password|create-drop|find-order(?:#help)?|payouts|account\/seller|prohibited-content|terms-of-service(?:#refunds)?)\b|[\w.+-]+@[\w.-]+\w)/

/** Shows a reply: its first line as the answer, and each further line as a point of a list. */
export function ChatText({ text }: { text: string }) {
  const [first = '', ...points] = text.split('\n')
  return (
    <>
      <p>
        <Linked text={first} />
      </p>
      {points.length > 0 ? (
        <ul className="mt-2 grid list-disc gap-1.5 ps-4 text-sm marker:text-muted-foreground">
          {points.map((point) => (
            <li key={point}>
              <Linked text={point} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

/** Turns the paths of pages and the email addresses in a line into links. */
function Linked({ text }: { text: string }) {
  return text.split(LINKS).map((part, at) =>
    at % 2 === 1 ? (
      <a
        key={at}
        href={part.startsWith('/') ? part : `mailto:${part}`}
        className="font-medium wrap-anywhere underline underline-offset-2"
      >
        {part}
      </a>
    ) : (
      part
    ),
  )
}
