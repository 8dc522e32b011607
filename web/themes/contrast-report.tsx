import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { builtInThemes, defaultTheme, type ThemeMode } from '#web/theme/theme-colours.ts'
import { Button } from '#web/ui/button.tsx'
import { type Measured, ratioText, unreadable } from './contrast.ts'
import { keyLabel } from './theme-values.ts'

interface ContrastReportProps {
  measured: Readonly<Record<ThemeMode, readonly Measured[]>>
  /** The theme that supplies the colors beyond the 19. */
  basis: Theme['basis']
  told: string
  onFixAll: () => void
}

const modes = ['light', 'dark'] as const
const isOwn = (ink: string) => (themeKeys as readonly string[]).includes(ink)

export function ContrastReport({ measured, basis, told, onFixAll }: ContrastReportProps) {
  const failing = modes.flatMap((mode) => measured[mode].flatMap((pair) => (pair.passes ? [] : [{ ...pair, mode }])))
  const own = failing.filter(({ ink }) => isOwn(ink))
  const ofKeeper = failing.filter(({ ink }) => !isOwn(ink))
  const texts = modes.map((mode) =>
    ratioText(Math.min(...measured[mode].flatMap(({ needs, ratio }) => (needs === 4.5 ? [ratio] : [])))),
  )
  return (
    <section aria-labelledby="contrast" className="rounded-lg border border-border bg-card px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 id="contrast" className="font-sans text-ui font-semibold tracking-normal">
          Contrast
        </h2>
        <span className="text-small text-muted-foreground tabular-nums">
          Lowest contrast: {texts[0]} in light, {texts[1]} in dark
        </span>
        {own.length > 0 && (
          <Button size="small" className="ms-auto" onClick={onFixAll}>
            Fix all
          </Button>
        )}
      </div>
      <p className={`mt-1 text-ui ${failing.length > 0 ? 'text-destructive' : 'text-muted-foreground'}`}>
        {failing.length === 0 ? 'All text is readable.' : `${unreadable(failing.length)}.`}
      </p>
      <p aria-live="polite" className="text-ui empty:hidden">
        {told}
      </p>
      {ofKeeper.length > 0 && (
        <p className="mt-1 text-small text-muted-foreground">
          {ofKeeper.length} of these use colors from {nameOf(basis)}, such as {pairText(ofKeeper[0])}. Make the
          background {ofKeeper[0]?.mode === 'light' ? 'lighter' : 'darker'}.
        </p>
      )}
      <details className="mt-2 text-small">
        <summary className="cursor-pointer rounded-xs font-label">All pairs</summary>
        {modes.map((mode) => (
          <table key={mode} className="mt-2 w-full tabular-nums">
            <caption className="text-start font-semibold">{mode === 'light' ? 'Light' : 'Dark'}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Pair</th>
                <th scope="col">Ratio</th>
                <th scope="col">Needs</th>
              </tr>
            </thead>
            <tbody>
              {measured[mode].map((pair) => (
                <tr key={`${pair.ink} ${pair.ground}`} className={pair.passes ? undefined : 'text-destructive'}>
                  <td className="py-px">{pairText(pair)}</td>
                  <td className="py-px text-end">{ratioText(pair.ratio)}</td>
                  <td className="py-px text-end text-muted-foreground">{pair.needs}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </details>
    </section>
  )
}

function nameOf(basis: Theme['basis']): string {
  return builtInThemes.find(({ slug }) => slug === basis)?.name ?? defaultTheme.name
}

function pairText(pair: Pick<Measured, 'ink' | 'ground'> | undefined): string {
  return pair ? `${keyLabel(pair.ink)} on ${keyLabel(pair.ground).toLowerCase()}` : ''
}
