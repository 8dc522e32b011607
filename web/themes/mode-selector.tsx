import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'

/** Stored per browser, independent of the theme. */
export function ModeSelector() {
  const { modeChoice, setModeChoice } = useTheme()
  return (
    <SegmentedControl
      label="Light or dark"
      value={modeChoice}
      onValueChange={setModeChoice}
      options={[
        { value: 'system', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  )
}

export function ThemeLibrarySubtitle() {
  const { modeChoice } = useTheme()
  const modeTexts = {
    system: 'Keeper follows your system.',
    light: 'Keeper is always light.',
    dark: 'Keeper is always dark.',
  }
  return <>Every theme has a light and a dark version. {modeTexts[modeChoice]}</>
}
