import type { ReactNode } from 'react'
import type { WaitingInKeeper, WaitingSummary } from '#contract/keepers/waiting.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

export interface WaitingLine {
  keeperId: string
  title: string
  links: { to: string; text: string }[]
  action?: ReactNode
}

/** One line per keeper, then one per draft of another person. */
export function toWaitingLines({ keepers, toReview }: WaitingSummary): WaitingLine[] {
  return [...keepers.map(toWaitingLine), ...toReview.map(toReviewLine)]
}

function toWaitingLine({ keeperId, title, echoesReady, draftSubmittedAt, suggestions }: WaitingInKeeper): WaitingLine {
  const keeperPath = `/keeper/${encodeURIComponent(keeperId)}`
  const links = [
    echoesReady > 0 && {
      to: `${keeperPath}/echo-writer`,
      text: echoesReady === 1 ? '1 echo is ready' : `${echoesReady.toLocaleString('en-US')} echoes are ready`,
    },
    draftSubmittedAt !== null && { to: `${keeperPath}/memory`, text: 'A SOLE draft to review' },
    suggestions > 0 && {
      to: `${keeperPath}/reflection-journal?tab=suggested`,
      text: `${pluralize(suggestions, 'reflection')} to keep or let rest`,
    },
  ]
  return { keeperId, title, links: links.filter((link) => link !== false) }
}

function toReviewLine({ keeperId, title, ownerName }: WaitingSummary['toReview'][number]): WaitingLine {
  // Reviews open on the reviewer's own SOLE page.
  const to = `/keeper/1/memory?review=${encodeURIComponent(keeperId)}`
  return { keeperId, title, links: [{ to, text: `A SOLE draft by ${ownerName ?? 'someone else'} to review` }] }
}
