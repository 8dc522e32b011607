import type { ReactNode } from 'react'
import type { Waiting, WaitingInKeeper } from '#contract/keepers/waiting.ts'
import { counted } from '#web/ui/counted.ts'

/** The waiting items of one keeper, with links to act on them. */
export interface WaitingLine {
  keeperId: string
  title: string
  places: { to: string; text: string }[]
  action?: ReactNode
}

/** One line per keeper, then one per draft of another person. */
export function linesOf({ keepers, toReview }: Waiting): WaitingLine[] {
  return [...keepers.map(lineOf), ...toReview.map(lineOfReview)]
}

function lineOf({ keeperId, title, echoesReady, draftSubmittedAt, suggestions }: WaitingInKeeper): WaitingLine {
  const rooms = `/keeper/${encodeURIComponent(keeperId)}`
  const places = [
    echoesReady > 0 && {
      to: `${rooms}/echo-writer`,
      text: echoesReady === 1 ? '1 echo is ready' : `${echoesReady.toLocaleString('en-US')} echoes are ready`,
    },
    draftSubmittedAt !== null && { to: `${rooms}/memory`, text: 'A SOLE draft to review' },
    suggestions > 0 && {
      to: `${rooms}/reflection-journal?tab=suggested`,
      text: `${counted(suggestions, 'reflection')} to keep or let rest`,
    },
  ]
  return { keeperId, title, places: places.filter((place) => place !== false) }
}

function lineOfReview({ keeperId, title, ownerName }: Waiting['toReview'][number]): WaitingLine {
  // Reviews open on the reviewer's own SOLE page.
  const to = `/keeper/1/memory?review=${encodeURIComponent(keeperId)}`
  return { keeperId, title, places: [{ to, text: `A SOLE draft by ${ownerName ?? 'someone else'} to review` }] }
}
