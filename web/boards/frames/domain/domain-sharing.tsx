import { BookOpen, Waypoints } from 'lucide-react'
import { SharedInDomain } from '#web/domains/shared/shared-in-domain.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { WithDomain } from './with-domain.tsx'

const sharingSamples = [
  {
    Icon: BookOpen,
    title: 'Father’s kitchen',
    words: 'Moments, Logbook. Shared by Tor Solheim with users and friends.',
  },
  { Icon: Waypoints, title: 'Spring to first ice', words: 'One journey with its moments. Shared by Maren Lindqvist.' },
]

export function DomainSharingFrame(props: FrameBodyProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) => (
        <div className="px-3.5 py-3">{isSample ? <Samples /> : <SharedInDomain domain={domain} />}</div>
      )}
    </WithDomain>
  )
}

function Samples() {
  return (
    <ul aria-label="Shared in this domain" className="flex flex-col">
      {sharingSamples.map(({ Icon, title, words: description }) => (
        <li key={title} className="flex items-start gap-3 border-t border-hairline py-3 first:border-t-0">
          <Icon aria-hidden size={17} className="mt-1 shrink-0 text-muted-foreground" />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{title}</p>
            <p className="text-small text-muted-foreground">{description}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
