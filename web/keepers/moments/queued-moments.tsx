import { CloudOff } from 'lucide-react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { formatDay } from './format-day.ts'
import { MomentBody } from './moment-body.tsx'

export function QueuedMoments({ keeper }: { keeper: Keeper }) {
  const queuedWrites = usePendingWrites(keeper.id).filter(
    ({ endpoint }) => endpoint.path === moments.create.path && endpoint.method === moments.create.method,
  )
  if (queuedWrites.length === 0) return null
  return (
    <section aria-label="Waiting to be sent" className="mb-6 rounded-md border border-dashed border-input px-4 py-3">
      <h2 className="mb-2 flex items-center gap-1.5 font-sans text-ui font-semibold tracking-normal">
        <CloudOff aria-hidden size={15} />
        Waiting to be sent
      </h2>
      <ul className="flex flex-col gap-3">
        {queuedWrites.map((write) => {
          const {
            body = '',
            localDate,
            mediaIds,
          } = (write.body ?? {}) as Partial<{
            body: string
            localDate: string
            mediaIds: string[]
          }>
          return (
            <li key={write.id} className="max-w-[38rem]">
              <div className="font-serif text-read wrap-break-word">
                <MomentBody text={body} />
              </div>
              <p className="text-small text-muted-foreground">
                {localDate && formatDay(localDate)}
                {mediaIds &&
                  mediaIds.length > 0 &&
                  `, with ${mediaIds.length} ${mediaIds.length === 1 ? 'file' : 'files'}`}
                {write.refusal && `. Refused by the server: ${write.refusal.words}`}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
