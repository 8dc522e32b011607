import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { builtInThemes, defaultTheme, type ThemeMode } from '#web/themes/base/theme-colors.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { formatRatio, formatUnreadable, type MeasuredPair } from './contrast.ts'
import { getKeyLabel, themeModes } from './theme-values.ts'

interface ContrastReportProps {
  measuredPairs: Readonly<Record<ThemeMode, readonly MeasuredPair[]>>
  /** The theme that supplies the colors beyond the 19. */
  basis: Theme['basis']
  announcement: string
  onFixAll: () => void
}

const isThemeKey = (foreground: string) => (themeKeys as readonly string[]).includes(foreground)

export function ContrastReport({ measuredPairs, basis, announcement, onFixAll }: ContrastReportProps) {
  const failingPairs = themeModes.flatMap((mode) =>
    measuredPairs[mode].flatMap((pair) => (pair.passes ? [] : [{ ...pair, mode }])),
  )
  const failingThemeKeys = failingPairs.filter(({ foreground }) => isThemeKey(foreground))
  const failingBasisKeys = failingPairs.filter(({ foreground }) => !isThemeKey(foreground))
  const lowestRatios = themeModes.map((mode) =>
    formatRatio(Math.min(...measuredPairs[mode].flatMap(({ minRatio, ratio }) => (minRatio === 4.5 ? [ratio] : [])))),
  )
  return (
    <section aria-labelledby="contrast" className="rounded-lg border border-border bg-card px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 id="contrast" className="font-sans text-ui font-semibold tracking-normal">
          Contrast
        </h2>
        <span className="text-small text-muted-foreground tabular-nums">
          Lowest contrast: {lowestRatios[0]} in light, {lowestRatios[1]} in dark
        </span>
        {failingThemeKeys.length > 0 && (
          <Button size="small" className="ms-auto" onClick={onFixAll}>
            Fix all
          </Button>
        )}
      </div>
      <p className={`mt-1 text-ui ${failingPairs.length > 0 ? 'text-destructive' : 'text-muted-foreground'}`}>
        {failingPairs.length === 0 ? 'All text is readable.' : `${formatUnreadable(failingPairs.length)}.`}
      </p>
      <p aria-live="polite" className="text-ui empty:hidden">
        {announcement}
      </p>
      {failingBasisKeys.length > 0 && (
        <p className="mt-1 text-small text-muted-foreground">
          {failingBasisKeys.length} of these use colors from {getBasisName(basis)}, such as{' '}
          {formatPair(failingBasisKeys[0])}. Make the background{' '}
          {failingBasisKeys[0]?.mode === 'light' ? 'lighter' : 'darker'}.
        </p>
      )}
      <details className="mt-2 text-small">
        <summary className="cursor-pointer rounded-xs font-label">All pairs</summary>
        {themeModes.map((mode) => (
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
              {measuredPairs[mode].map((pair) => (
                <tr
                  key={`${pair.foreground} ${pair.background}`}
                  className={pair.passes ? undefined : 'text-destructive'}
                >
                  <td className="py-px">{formatPair(pair)}</td>
                  <td className="py-px text-end">{formatRatio(pair.ratio)}</td>
                  <td className="py-px text-end text-muted-foreground">{pair.minRatio}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </details>
    </section>
  )
}

function getBasisName(basis: Theme['basis']): string {
  return builtInThemes.find(({ slug }) => slug === basis)?.name ?? defaultTheme.name
}

function formatPair(pair: Pick<MeasuredPair, 'foreground' | 'background'> | undefined): string {
  return pair ? `${getKeyLabel(pair.foreground)} on ${getKeyLabel(pair.background).toLowerCase()}` : ''
}
