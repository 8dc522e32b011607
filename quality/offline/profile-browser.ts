import * as profileBrowser from '../../tests/journeys/profile-browser.ts'

export const openBrowser = (profile: string, url: string, executablePath: string) =>
  profileBrowser.openProfileBrowser(profile, url, executablePath, {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })
