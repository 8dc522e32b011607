/** 64 × 64 px, red on the left and blue on the right. */
const configuration = Buffer.from(
  'AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQA==',
  'base64',
)
const tile = Buffer.from('AAAAKSgBrwngITl1X//70p///DfvIfuzdFP/+wB77+/Pf//3Y3Qq4Gf/7d/w', 'base64')
const tileSide = 64

interface HeicOptions {
  /** Tiles side by side, as phones write pictures; one alone is no grid. */
  columns?: number
  /** Counterclockwise. */
  quarterTurns?: number
  /** Columns that the grid claims to have. */
  claimedColumns?: number
}

const encodeUint16 = (value: number) => Buffer.of(value >> 8, value & 255)
const encodeUint32 = (value: number) => Buffer.concat([encodeUint16(value >>> 16), encodeUint16(value & 65_535)])
function createBox(type: string, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([encodeUint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

export function createHeic({ columns = 1, quarterTurns = 0, claimedColumns = columns }: HeicOptions = {}): Buffer {
  const fileType = createBox('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const isGrid = columns > 1
  const tiles = Array.from({ length: columns }, (_, index) => index + 1)
  const primary = isGrid ? columns + 1 : 1
  const width = columns * tileSide
  const createExtents = (itemWidth: number) =>
    createBox('ispe', encodeUint32(0), encodeUint32(itemWidth), encodeUint32(tileSide))
  const items = isGrid ? [...tiles, primary] : tiles
  const createMeta = (dataStart: number) =>
    createBox(
      'meta',
      encodeUint32(0),
      createBox('hdlr', encodeUint32(0), encodeUint32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      createBox('pitm', encodeUint32(0), encodeUint16(primary)),
      createBox(
        'iloc',
        [1, 0, 0, 0, 0x44, 0],
        encodeUint16(items.length),
        ...items.map((id) => {
          const isTile = id <= columns
          const [offset, length] = isTile ? [dataStart, tile.length] : [0, 8]
          return Buffer.concat(
            [id, isTile ? 0 : 1, 0, 1].map(encodeUint16).concat([encodeUint32(offset ?? 0), encodeUint32(length ?? 0)]),
          )
        }),
      ),
      createBox(
        'iinf',
        encodeUint32(0),
        encodeUint16(items.length),
        ...items.map((id) =>
          createBox(
            'infe',
            [2, 0, 0, 0],
            encodeUint16(id),
            encodeUint16(0),
            Buffer.from(id <= columns ? 'hvc1\0' : 'grid\0', 'latin1'),
          ),
        ),
      ),
      ...(isGrid
        ? [
            createBox(
              'iref',
              encodeUint32(0),
              createBox('dimg', encodeUint16(primary), encodeUint16(columns), ...tiles.map(encodeUint16)),
            ),
          ]
        : []),
      createBox(
        'iprp',
        createBox(
          'ipco',
          createBox('hvcC', configuration),
          createExtents(tileSide),
          createExtents(width),
          createBox('irot', [quarterTurns]),
        ),
        createBox(
          'ipma',
          encodeUint32(0),
          encodeUint32(items.length),
          ...items.map((id) =>
            Buffer.concat([encodeUint16(id), Buffer.of(2, ...(id <= columns ? [0x81, 2] : [3, 0x84]))]),
          ),
        ),
      ),
      createBox('idat', [0, 0, 0, claimedColumns - 1], encodeUint16(width), encodeUint16(tileSide)),
    )
  const dataStart = fileType.length + createMeta(0).length + 8
  return Buffer.concat([fileType, createMeta(dataStart), createBox('mdat', tile)])
}
