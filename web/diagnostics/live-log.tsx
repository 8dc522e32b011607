import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { LogEntry, LogLevel } from './run-checks.ts'

const levelClasses: Record<LogLevel, string> = {
  info: 'text-info',
  ok: 'text-success',
  warn: 'text-warning',
  error: 'text-destructive',
}

export function LiveLog({ logs }: { logs: readonly LogEntry[] }) {
  const [hasCopyFailed, setHasCopyFailed] = useState(false)
  const box = useRef<HTMLElement>(null)
  const count = logs.length
  useEffect(() => {
    if (count > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-border bg-card shadow-e1">
      <div className="flex items-center gap-2 border-b border-border px-4 py-2">
        <h2 className="font-sans text-ui font-semibold">Live log</h2>
        <Badge className="rounded-full" aria-label={pluralize(count, 'entry', 'entries')} role="img">
          {count}
        </Badge>
        <div className="ms-auto">
          <CopyButton variant="plain" text={() => toLogText(logs)} onCopyFailed={() => setHasCopyFailed(true)}>
            Copy
          </CopyButton>
        </div>
      </div>
      {hasCopyFailed && (
        <p role="alert" className="px-4 pt-2 text-small text-destructive">
          Failed to copy to clipboard
        </p>
      )}
      <section
        ref={box}
        aria-label="Live log entries"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-[560px] overflow-y-auto px-4 py-3 font-mono text-code focus-visible:-outline-offset-2 phone:max-h-80"
      >
        {count === 0 && <p className="text-muted-foreground">Nothing yet.</p>}
        <ol>
          {logs.map(({ at, level, text }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended
              key={index}
              className="grid grid-cols-[auto_44px_minmax(0,1fr)] gap-x-3 py-[1.5px]"
            >
              <time dateTime={at} className="text-muted-foreground">
                {formatLogTime(at)}
              </time>
              <span className={classNames('font-semibold', levelClasses[level])}>{level}</span>
              <span className={classNames('wrap-anywhere', level === 'error' && levelClasses.error)}>{text}</span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

const toLogText = (logs: readonly LogEntry[]) => logs.map(({ at, level, text }) => `${at} ${level} ${text}`).join('\n')

/** Local time, such as '21:31:02.104'. */
function formatLogTime(at: string): string {
  const time = new Date(at)
  const padTwo = (value: number) => String(value).padStart(2, '0')
  const milliseconds = String(time.getMilliseconds()).padStart(3, '0')
  return `${padTwo(time.getHours())}:${padTwo(time.getMinutes())}:${padTwo(time.getSeconds())}.${milliseconds}`
}
