import { Bell } from 'lucide-react'
import { Disclosure } from '@/components/ui/disclosure'
import { followTitle } from '@/lib/followers/messages'
import { FollowForm } from './follow-form'

/**
 * Shows the form to follow the seller on a drop page. It is collapsed, because the form above it is about this drop.
 */
export function FollowDisclosure({ username, drop }: { username: string; drop: string }) {
  return (
    <Disclosure
      label={
        <>
          <Bell aria-hidden className="size-5 shrink-0" />
          {followTitle(username)}
        </>
      }
    >
      <div className="px-4 pt-1 pb-4">
        <FollowForm username={username} from="drop" drop={drop} />
      </div>
    </Disclosure>
  )
}
