import { Link } from 'react-router'
import { getClothIndex } from '#web/ui/drawings/cover.tsx'
import { getReadingPath, useJournal } from './journal-context.ts'

/** A saved reflection as the spine of a book above the next one. */
export function SavedSpine({ id, title }: { id: string; title: string }) {
  const keeper = useJournal()
  return (
    <div
      data-chrome
      data-spine
      data-cloth={getClothIndex(keeper.id)}
      className="book-cover mb-3 flex h-11 animate-fade items-center gap-3 px-3.5 text-(--foil) shadow-e2 phone:-mx-1.5 print:hidden"
    >
      <FoilRule />
      <span dir="auto" className="min-w-0 flex-1 truncate ps-3 font-serif text-[1.0625rem] leading-6 phone:ps-0">
        {title}
      </span>
      <Link
        to={getReadingPath(id)}
        className="inline-flex h-full shrink-0 items-center rounded-xs px-1 text-ui font-semibold underline underline-offset-[3px] focus-visible:outline-(--foil)"
      >
        Read<span className="sr-only"> reflection</span>
      </Link>
      <FoilRule />
    </div>
  )
}

function FoilRule() {
  return <span aria-hidden className="h-full w-1 shrink-0 border-x border-(--foil) opacity-50" />
}
