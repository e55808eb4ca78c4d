/** The paths of this site and the email addresses that become links in a reply. */
const LINKS =
  /(\/(?:login|forgot-password|create-drop|find-order(?:#help)?|payouts|account\/seller|prohibited-content|terms-of-service(?:#refunds)?)\b|[\w.+-]+@[\w.-]+\w)/

/** Shows a reply, and turns the paths of pages and email addresses in it into links. */
export function ChatText({ text }: { text: string }) {
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
