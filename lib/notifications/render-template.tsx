import 'server-only'
import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Html,
  Img,
  Link,
  Preview,
  Row,
  Section,
  Text,
} from '@react-email/components'
import { render } from '@react-email/render'
import { Fragment } from 'react'
import { brand } from '@/lib/kernel/brand'
import type { MailContent } from './compose-mail'

// Email programs do not load our style sheet, so the tokens of app/globals.css are repeated here. The light colors are
// in the style attributes, which every program reads. Programs with a dark mode of their own read the style sheet in
// the head.
const INK = '#17150f'
const MUTED = '#6b665c'
const LINE = '#e7e2d8'
const EMBER = '#c93a05'

/**
 * The dark colors. A style attribute is stronger than a class, so each rule is marked as important. <Body> repeats its
 * background in a table cell of its own.
 */
const DARK = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background: #121110 !important; }
  .card { background: #1b1918 !important; border-color: #2e2a27 !important; }
  .ink { color: #f4f0e8 !important; }
  .muted { color: #a39c8f !important; }
  .line { border-color: #2e2a27 !important; }
  .brand { color: #ff7a3d !important; }
  .button { background: #ff7a3d !important; color: #1c0b02 !important; }
}`

/** The width of the photo in pixels. The file is larger, for phones with dense screens. */
const PHOTO_WIDTH = 160

const styles = {
  body: { margin: 0, background: '#fbf9f5', fontFamily: "-apple-system,'Segoe UI',Helvetica,Arial,sans-serif" },
  container: { maxWidth: 520, margin: '0 auto', padding: '32px 20px' },
  brand: { margin: '0 0 16px', fontSize: 15, fontWeight: 700, color: EMBER },
  card: { background: '#ffffff', border: `1px solid ${LINE}`, borderRadius: 14, padding: '28px 24px' },
  // The alternative text is shown in this font where pictures are blocked.
  photo: { margin: '0 0 20px', borderRadius: 10, fontSize: 14, color: MUTED, height: 'auto' },
  heading: { margin: '0 0 16px', fontSize: 24, lineHeight: 1.2, color: INK },
  paragraph: { margin: '0 0 16px', fontSize: 16, lineHeight: 1.5, color: INK },
  facts: { borderTop: `1px solid ${LINE}`, margin: '0 0 24px' },
  label: { padding: '8px 0', color: MUTED, fontSize: 14, verticalAlign: 'top' },
  value: { padding: '8px 0', color: INK, fontSize: 14, textAlign: 'right' },
  button: {
    background: EMBER,
    color: '#ffffff',
    fontWeight: 600,
    fontSize: 16,
    padding: '14px 22px',
    borderRadius: 10,
    margin: '0 0 24px',
  },
  footer: { margin: '0 0 8px', fontSize: 13, lineHeight: 1.5, color: MUTED },
  stop: { color: MUTED, textDecoration: 'underline' },
} as const

/** Shows a string with its line breaks. */
function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 ? <br /> : null}
      {line}
    </Fragment>
  ))
}

/** Shows what stands below the button: the footer, whom to ask, and the links to the help and to unsubscribe. */
function SmallPrint({ content: { footer, support, helpUrl, unsubscribe } }: { content: MailContent }) {
  const links = [
    ...(helpUrl ? [['Help with your order', helpUrl]] : []),
    ...(unsubscribe ? [['Unsubscribe', unsubscribe.pageUrl]] : []),
  ] as [string, string][]
  return (
    <>
      {[footer, support].filter(Boolean).map((text) => (
        <Text key={text} className="muted" style={styles.footer}>
          {text}
        </Text>
      ))}
      {links.map(([label, url]) => (
        <Text key={label} className="muted" style={styles.footer}>
          <Link href={url} className="muted" style={styles.stop}>
            {label}
          </Link>
        </Text>
      ))}
    </>
  )
}

function MailTemplate({ content }: { content: MailContent }) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style dangerouslySetInnerHTML={{ __html: DARK }} />
      </Head>
      <Preview>{content.preview}</Preview>
      <Body className="page" style={styles.body}>
        <Container style={styles.container}>
          <Text className="brand" style={styles.brand}>
            {brand.name}
          </Text>
          <Section className="card" style={styles.card}>
            {content.photo ? (
              <Img
                src={content.photo.url}
                alt={content.photo.alt}
                width={PHOTO_WIDTH}
                className="muted"
                style={styles.photo}
              />
            ) : null}
            <Heading as="h1" className="ink" style={styles.heading}>
              {content.heading}
            </Heading>
            {content.paragraphs.map((paragraph, index) => (
              <Text key={index} className="ink" style={styles.paragraph}>
                <Lines text={paragraph} />
              </Text>
            ))}
            {content.facts ? (
              <Section className="line" style={styles.facts}>
                {content.facts.map(([label, value]) => (
                  <Row key={label}>
                    <Column className="muted" style={styles.label}>
                      {label}
                    </Column>
                    <Column className="ink" style={styles.value}>
                      <Lines text={value} />
                    </Column>
                  </Row>
                ))}
              </Section>
            ) : null}
            {content.button ? (
              <Button href={content.button.url} className="button" style={styles.button}>
                {content.button.label}
              </Button>
            ) : null}
            <SmallPrint content={content} />
          </Section>
        </Container>
      </Body>
    </Html>
  )
}

/** Returns the HTML of an email in the form that email programs understand. */
export function renderTemplate(content: MailContent): Promise<string> {
  return render(<MailTemplate content={content} />)
}
