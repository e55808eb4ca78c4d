import type { Metadata } from 'next'
import { notFound, permanentRedirect, redirect } from 'next/navigation'
import { cache } from 'react'
import { ProfileScreen } from '@/components/profile/profile-screen'
import { accountTexts } from '@/lib/accounts/messages'
import { findProfileUser } from '@/lib/accounts/queries'
import { profilePath } from '@/lib/accounts/rules'
import { listProfileDrops } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { safeDecode } from '@/lib/http/safe-decode'
import { profileMetadata } from '@/lib/previews/profile-metadata'
import { database } from '@/lib/infra/db'
import { findPublicProfile, listSoldOutDrops } from '@/lib/profiles/queries'

type Props = { params: Promise<{ username: string }> }

const loadProfile = cache((username: string) => findProfileUser(database(), username))
const loadDrops = cache((userId: number) => listProfileDrops(database(), userId))
const loadWords = cache((userId: number) => findPublicProfile(database(), userId))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const user = await loadProfile(safeDecode((await params).username))
  if (!user) return { title: accountTexts.profileNotFoundTitle, robots: { index: false } }
  return profileMetadata(user.username, await loadDrops(user.id), (await loadWords(user.id)).about)
}

export default async function ProfilePage({ params }: Props) {
  const typed = safeDecode((await params).username)
  const user = await loadProfile(typed)
  if (!user) notFound()
  if (typed !== user.username) {
    const path = profilePath(user.username)
    // Another spelling of the username always means the same seller, so this redirect is permanent. A former username
    // may later belong to another seller, so browsers must not store the redirect from it.
    if (typed.replace(/^@/, '').toLowerCase() === user.username) permanentRedirect(path)
    redirect(path)
  }
  const [drops, words, soldOut] = await Promise.all([
    loadDrops(user.id),
    loadWords(user.id),
    listSoldOutDrops(database(), user.id),
  ])
  return (
    <ProfileScreen
      user={user}
      words={words}
      drops={drops.map(toDropView)}
      soldOut={soldOut.map((row) => ({ drop: toDropView(row), sold: row.soldInRun }))}
    />
  )
}
