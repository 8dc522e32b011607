import { Check, TriangleAlert } from 'lucide-react'
import type { ThemeKey } from '#contract/themes/theme-keys.ts'
import type { ThemeMode } from '#web/themes/base/theme-colors.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { formatRatio, type MeasuredPair } from './contrast.ts'
import { getKeyLabel } from './theme-values.ts'

interface ColorCellProps {
  name: ThemeKey
  mode: ThemeMode
  value: string
  /** The pair with the lowest contrast; undefined for colors that no text uses. */
  lowestPair: MeasuredPair | undefined
  /** Text that isn't a valid color yet; `isBlurred`: the field has lost focus. */
  typedColor: { text: string; isBlurred: boolean } | undefined
  onColorChange: (mode: ThemeMode, key: ThemeKey, text: string, isFinal: boolean) => void
  onFix: (mode: ThemeMode, key: ThemeKey) => void
}

export function ColorCell({ name, mode, value, lowestPair, typedColor, onColorChange, onFix }: ColorCellProps) {
  const label = `${getKeyLabel(name)}, ${mode}`
  const commitText = (text: string, { isFinal }: { isFinal: boolean }) => onColorChange(mode, name, text, isFinal)

  return (
    <div className="min-w-0">
      <TextField
        label={label}
        labelHidden
        name={`${mode} ${name}`}
        mono
        value={typedColor?.text ?? value}
        maxLength={9}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        error={typedColor?.isBlurred ? 'Use a hex color like #2a3d58.' : undefined}
        onChange={({ currentTarget }) => commitText(currentTarget.value, { isFinal: false })}
        onBlur={() => {
          if (typedColor) commitText(typedColor.text, { isFinal: true })
        }}
        end={
          <input
            type="color"
            aria-label={`Choose ${label}`}
            value={value}
            onChange={({ currentTarget }) => commitText(currentTarget.value, { isFinal: true })}
            className="size-6 cursor-pointer rounded-xs border border-border bg-transparent p-0 forced-color-adjust-none"
          />
        }
      />
      {lowestPair && (
        <p
          className={`mt-1 flex items-start gap-1.5 text-small ${lowestPair.passes ? 'text-muted-foreground' : 'text-destructive'}`}
        >
          {lowestPair.passes ? (
            <Check aria-label="Readable" size={12} className="mt-0.5 shrink-0 text-success" />
          ) : (
            <TriangleAlert aria-label="Hard to read" size={12} className="mt-0.5 shrink-0" />
          )}
          <span className="min-w-0 tabular-nums">
            {formatRatio(lowestPair.ratio)} on {getKeyLabel(lowestPair.background).toLowerCase()}
            {!lowestPair.passes && (
              <>
                , needs {lowestPair.minRatio}{' '}
                <button
                  type="button"
                  aria-label={`Fix ${label}`}
                  onClick={() => onFix(mode, name)}
                  className="-my-1 rounded-xs px-1 py-1 font-semibold text-foreground underline underline-offset-2"
                >
                  Fix
                </button>
              </>
            )}
          </span>
        </p>
      )}
    </div>
  )
}
