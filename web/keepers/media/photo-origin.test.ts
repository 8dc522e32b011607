import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createPhoto } from '#tests/photo-file.ts'
import { describePhotoOrigin, readPhotoOrigin, toPhotoOrigin } from './photo-origin.ts'

const takenExif = { DateTimeOriginal: '2026:05:03 18:20:11', OffsetTimeOriginal: '+01:00' }

describe('the origin of a photo', () => {
  it('is read from the file', async () => {
    const photo = createPhoto({ taken: '2026:05:03 18:20:11', offset: '+01:00', position: [41.15, -8.61] })
    expect(await readPhotoOrigin(new Blob([new Uint8Array(photo)]))).toEqual({
      when: { day: '2026-05-03', time: '18:20', timezone: expect.any(String) },
      place: { name: '41.15, −8.61', lat: 41.15, lng: -8.61 },
    })
    expect(await readPhotoOrigin(new Blob([readFileSync('package.json')]))).toBeUndefined()
    expect(await readPhotoOrigin(new Blob([new Uint8Array(photo.subarray(0, 40))]))).toBeUndefined()
  })

  it('has the time of the camera, in a time zone with its offset', () => {
    expect(toPhotoOrigin(takenExif)?.when).toMatchObject({ day: '2026-05-03', time: '18:20' })
    const getTimeZone = (offset?: string) => toPhotoOrigin({ ...takenExif, OffsetTimeOriginal: offset })?.when?.timezone
    expect(getTimeZone('+09:00')).toBe('Etc/GMT-9')
    expect(getTimeZone('-03:00')).toBe('Etc/GMT+3')
    expect(getTimeZone('+00:00')).toBe('UTC')
    expect(getTimeZone()).toEqual(expect.any(String))
  })

  it.each([
    ['no date', '0000:00:00 00:00:00'],
    ['blanks', '    :  :     :  :  '],
    ['a day that does not exist', '2026:02:30 10:00:00'],
    ['an hour that does not exist', '2026:02:20 25:00:00'],
    ['a time before photography', '1500:01:01 10:00:00'],
    ['a number', 20_260_503],
    ['nothing', undefined],
  ])('has no date with %s', (_, DateTimeOriginal) => {
    expect(toPhotoOrigin({ DateTimeOriginal })).toBeUndefined()
  })

  it('has its named place, else its position, and none at 0, 0 or beyond the Earth', () => {
    const porto = { latitude: 41.149612345, longitude: -8.610934 }
    expect(toPhotoOrigin(porto)?.place).toEqual({ name: '41.15, −8.61', lat: 41.14961, lng: -8.61093 })
    expect(toPhotoOrigin({ ...porto, City: 'Porto' })?.place).toMatchObject({ name: 'Porto', lat: 41.14961 })
    expect(toPhotoOrigin({ City: ' ', latitude: 0, longitude: 0 })).toBeUndefined()
    expect(toPhotoOrigin({ latitude: 120, longitude: 5 })).toBeUndefined()
    expect(toPhotoOrigin({ latitude: Number.NaN, longitude: Number.NaN })).toBeUndefined()
  })

  it('is described in one sentence', () => {
    const when = { day: '2026-05-03', time: '18:20', timezone: 'UTC' }
    const porto = { name: 'Porto', lat: null, lng: null }
    expect(describePhotoOrigin({ when, place: porto }, '2026-11-28')).toBe('Taken May 3 in Porto.')
    expect(describePhotoOrigin({ when }, '2027-01-01')).toBe('Taken May 3, 2026.')
    expect(describePhotoOrigin({ place: { ...porto, name: '−8.61, 41.15' } }, '2026-11-28')).toBe(
      'Taken at −8.61, 41.15.',
    )
  })
})
