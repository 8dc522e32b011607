import type { Theme } from '#contract/themes/themes.ts'
import type { ThemeMode } from '#web/themes/base/theme-colors.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { ThemedBox } from './themed-box.tsx'

const swatchClasses = ['bg-primary', 'bg-ribbon', 'bg-chart3', 'bg-chart4', 'bg-chart5', 'bg-secondary']

export function ThemeMiniature({ theme, chosen }: { theme: Theme; chosen: boolean }) {
  return (
    <div
      aria-hidden
      className={classNames(
        'grid grid-cols-2 overflow-hidden rounded-lg border border-border shadow-e1',
        chosen && 'outline-2 outline-offset-4 outline-ribbon',
      )}
    >
      <MiniaturePage theme={theme} mode="light" />
      <MiniaturePage theme={theme} mode="dark" />
    </div>
  )
}

function MiniaturePage({ theme, mode }: { theme: Theme; mode: ThemeMode }) {
  return (
    <ThemedBox
      theme={theme}
      mode={mode}
      className="grid h-[140px] grid-cols-[38px_minmax(0,1fr)] overflow-hidden bg-background text-foreground"
    >
      <div className="flex flex-col gap-[7px] border-e border-border bg-sidebar px-2 py-2.5">
        <span className="h-4 w-3.5 rounded-[3px] bg-chart1" />
        <span className="h-[5px] rounded-[3px] bg-ribbon" />
        <span className="h-[5px] rounded-[3px] bg-input/60" />
        <span className="h-[5px] rounded-[3px] bg-input/60" />
      </div>
      <div className="min-w-0 p-3">
        <p className="truncate font-serif text-[17px] leading-[22px]">{formatToday()}</p>
        <div className="relative mt-[9px] mb-2.5 flex flex-col gap-1.5 rounded-[2px_7px_7px_2px] border border-border bg-paper p-2.5">
          <span className="absolute -top-px end-2 h-[17px] w-[7px] spine bg-ribbon" />
          <span className="h-1 w-3/5 rounded-[2px] bg-muted-foreground/70" />
          <span className="h-1 w-[72%] rounded-[2px] bg-muted-foreground/70" />
        </div>
        <div className="flex gap-[5px]">
          <span className="h-[17px] w-[38px] rounded-xs bg-primary" />
          <span className="h-[17px] w-[26px] rounded-xs bg-secondary" />
          <span className="h-[17px] w-[26px] rounded-xs bg-accent" />
        </div>
      </div>
    </ThemedBox>
  )
}

function formatToday(): string {
  return new Date().toLocaleDateString('en-US', { weekday: 'short', month: 'short', day: 'numeric' })
}

export function ThemeSwatches({ theme, mode }: { theme: Theme; mode: ThemeMode }) {
  return (
    <ThemedBox theme={theme} mode={mode} className="flex gap-[5px]">
      {swatchClasses.map((colour) => (
        <span
          key={colour}
          aria-hidden
          className={`size-[22px] rounded-full border border-foreground/15 forced-color-adjust-none ${colour}`}
        />
      ))}
    </ThemedBox>
  )
}
