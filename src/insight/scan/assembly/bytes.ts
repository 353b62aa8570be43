/** The bytes that JSON is written with, besides those of its texts. */
export enum Byte {
  Tab = 0x09,
  LineFeed = 0x0a,
  CarriageReturn = 0x0d,
  Space = 0x20,
  Quote = 0x22,
  Comma = 0x2c,
  Minus = 0x2d,
  Point = 0x2e,
  Zero = 0x30,
  Colon = 0x3a,
  OpenBracket = 0x5b,
  Backslash = 0x5c,
  CloseBracket = 0x5d,
  LowerE = 0x65,
  LowerF = 0x66,
  LowerN = 0x6e,
  OpenBrace = 0x7b,
  CloseBrace = 0x7d,
}

/** Four bytes that are read at once, the first of them the lowest. */
export enum Literal {
  Null = 0x6c6c756e,
  True = 0x65757274,
  /** The letters after the first letter of false. */
  Alse = 0x65736c61,
}
