import 'server-only'
import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Html,
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

// Email programs do not load our style sheet, so the light tokens of app/globals.css are repeated here.
const INK = '#17150f'
const MUTED = '#6b665c'
const LINE = '#e7e2d8'
const EMBER = '#c93a05'

const styles = {
  body: { margin: 0, background: '#fbf9f5', fontFamily: "-apple-system,'Segoe UI',Helvetica,Arial,sans-serif" },
  container: { maxWidth: 520, margin: '0 auto', padding: '32px 20px' },
  brand: { margin: '0 0 16px', fontSize: 15, fontWeight: 700, color: EMBER },
  card: { background: '#ffffff', border: `1px solid ${LINE}`, borderRadius: 14, padding: '28px 24px' },
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
  footer: { margin: 0, fontSize: 13, lineHeight: 1.5, color: MUTED },
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

function MailTemplate({ content }: { content: MailContent }) {
  return (
    <Html lang="en">
      <Head />
      <Preview>{content.preview}</Preview>
      <Body style={styles.body}>
        <Container style={styles.container}>
          <Text style={styles.brand}>{brand.name}</Text>
          <Section style={styles.card}>
            <Heading as="h1" style={styles.heading}>
              {content.heading}
            </Heading>
            {content.paragraphs.map((paragraph, index) => (
              <Text key={index} style={styles.paragraph}>
                <Lines text={paragraph} />
              </Text>
            ))}
            {content.facts ? (
              <Section style={styles.facts}>
                {content.facts.map(([label, value]) => (
                  <Row key={label}>
                    <Column style={styles.label}>{label}</Column>
                    <Column style={styles.value}>
                      <Lines text={value} />
                    </Column>
                  </Row>
                ))}
              </Section>
            ) : null}
            {content.button ? (
              <Button href={content.button.url} style={styles.button}>
                {content.button.label}
              </Button>
            ) : null}
            {content.footer ? <Text style={styles.footer}>{content.footer}</Text> : null}
            {content.helpUrl ? (
              <Text style={styles.footer}>
                <Link href={content.helpUrl} style={styles.stop}>
                  Help with your order
                </Link>
              </Text>
            ) : null}
            {content.unsubscribe ? (
              <Text style={styles.footer}>
                <Link href={content.unsubscribe.pageUrl} style={styles.stop}>
                  Unsubscribe
                </Link>
              </Text>
            ) : null}
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
