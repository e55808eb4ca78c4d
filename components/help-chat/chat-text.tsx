/** What a reply may name: paths of this site, which become links, and email addresses. */
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
