/**
 * The layout that the scanner and the program that runs it share: addresses in their common memory, and the meaning of
 * the numbers there. Both are compiled from this file. Sizes and addresses are in bytes.
 */

/**
 * A node says what a value has to look like: its kind, whether null will do, and from 8 on what follows, 4 bytes each.
 */
export enum NodeKind {
  Any,
  Boolean,
  /** The number of choices; at 16 their tokens. */
  Choice,
  Text,
  /** A flag that it must be whole; at 16 the least and the greatest, as 64-bit floats. */
  Number,
  /** The node of the elements, the cell of the first one, and how many there may be. */
  Array,
  /** The number of members and bits of the required ones; at 16 the members. */
  Object,
}

/** The content of a cell, and the meaning of its value. */
export enum CellTag {
  Absent,
  Null,
  True,
  False,
  /** A 64-bit float. */
  Number,
  /** The index of the choice. */
  Choice,
  /** The place of a text that is kept. */
  Kept,
  /** The first and last address of an ASCII text without escapes, less its quotes. */
  Text,
  /** The first and last address of the JSON of a value that was not looked into. */
  Json,
  Object,
  /** The number of elements. */
  Array,
}

export enum Size {
  /** A token: where its bytes begin, and how many there are. */
  Token = 8,
  /** A member: the token `,"name":`, its node, and its cell. */
  Member = 16,
  /** A cell: its tag, and 8 bytes further on its value. */
  Cell = 16,
  /** A text that is kept: its length, and its bytes as four overlapping numbers of 8, or of 4 where it is shorter. */
  Kept = 40,
  /**
   * A new text: its place, and where it begins and ends. A member that is not known: the cell of its object, and so on.
   */
  Entry = 12,
}

export enum Count {
  Cells = 1024,
  /** A power of two. */
  Kept = 1024,
  NewTexts = 128,
  Others = 64,
  /** Of a number that a 64-bit float holds exactly. */
  Digits = 15,
}

export enum KeptLength {
  Least = 4,
  /** Four numbers of 8 bytes. */
  Most = 32,
}

export enum Address {
  /** The node of the page that was chosen. */
  Page = 0x40,
  /** The number of texts kept since the scan began, and of members that their objects are not known to have. */
  NewTextCount = 0x44,
  OtherCount = 0x48,
  NewTexts = 0x100,
  Others = 0x800,
  /** 64-bit floats. */
  PowersOfTen = 0xc00,
  Kept = 0x1000,
  /** One for each member and element. The first is that of the payload. */
  Cells = 0xb000,
  /** Nodes and tokens. */
  Nodes = 0xf000,
  NodesEnd = 0x1f000,
  /** The bytes to scan. */
  Input = 0x20000,
}
