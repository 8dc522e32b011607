import { truncate } from '#contract/truncate.ts'
import { KeepMenu, type KeepTarget } from './keep-menu.tsx'

const maxShownLength = 200

export function SelectedWords({ words, onKeep }: { words: string; onKeep: (as: KeepTarget) => Promise<void> }) {
  return (
    <section
      aria-label="Selected words"
      data-chrome
      className="sticky bottom-3 z-10 mt-4 flex items-center gap-3 rounded-lg border border-border bg-card px-4 py-2 shadow-e3"
    >
      <q dir="auto" className="min-w-0 flex-1 truncate text-ui">
        {truncate(words.replace(/\s+/g, ' '), maxShownLength)}
      </q>
      <KeepMenu side="top" onKeep={onKeep}>
        Keep these words
      </KeepMenu>
    </section>
  )
}
