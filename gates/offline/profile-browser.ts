import * as profileBrowser from '#tests/journeys/profile-browser.ts'

/** The browser of the journeys, on a desk and without motion. */
export const browserOver = (profile: string, url: string, executablePath: string) =>
  profileBrowser.browserOver(profile, url, executablePath, {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
