import { useTheme } from '#web/theme/theme-provider.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'

/** System, day or night: of this browser, whatever the theme. */
export function ModeChoice() {
  const { modeChoice, setModeChoice } = useTheme()
  return (
    <SegmentedControl
      label="Day or night"
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

/** What the page says of itself under its title. */
export function LibrarySub() {
  const { modeChoice } = useTheme()
  const yours = {
    system: 'Yours follows your system and changes with it.',
    light: 'Yours stays with the day.',
    dark: 'Yours stays with the night.',
  }
  return <>Every theme has a day and a night. {yours[modeChoice]}</>
}
