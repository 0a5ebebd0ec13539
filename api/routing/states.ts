/** States, districts and territories that the post of the United States serves, and the provinces of Canada. */
const names: Readonly<Record<string, string>> = {
  ...{ AL: "Alabama", AK: "Alaska", AZ: "Arizona", AR: "Arkansas", CA: "California", CO: "Colorado" },
  ...{ CT: "Connecticut", DE: "Delaware", DC: "District of Columbia", FL: "Florida", GA: "Georgia", HI: "Hawaii" },
  ...{ ID: "Idaho", IL: "Illinois", IN: "Indiana", IA: "Iowa", KS: "Kansas", KY: "Kentucky", LA: "Louisiana" },
  ...{ ME: "Maine", MD: "Maryland", MA: "Massachusetts", MI: "Michigan", MN: "Minnesota", MS: "Mississippi" },
  ...{ MO: "Missouri", MT: "Montana", NE: "Nebraska", NV: "Nevada", NH: "New Hampshire", NJ: "New Jersey" },
  ...{ NM: "New Mexico", NY: "New York", NC: "North Carolina", ND: "North Dakota", OH: "Ohio", OK: "Oklahoma" },
  ...{ OR: "Oregon", PA: "Pennsylvania", RI: "Rhode Island", SC: "South Carolina", SD: "South Dakota" },
  ...{ TN: "Tennessee", TX: "Texas", UT: "Utah", VT: "Vermont", VA: "Virginia", WA: "Washington" },
  ...{ WV: "West Virginia", WI: "Wisconsin", WY: "Wyoming" },
  ...{ AS: "American Samoa", GU: "Guam", MP: "Northern Mariana Islands", PR: "Puerto Rico", VI: "Virgin Islands" },
  ...{ FM: "Federated States of Micronesia", MH: "Marshall Islands", PW: "Palau" },
  ...{ AA: "Armed Forces Americas", AE: "Armed Forces Europe", AP: "Armed Forces Pacific" },
  ...{ AB: "Alberta", BC: "British Columbia", MB: "Manitoba", NB: "New Brunswick", NL: "Newfoundland and Labrador" },
  ...{ NS: "Nova Scotia", NT: "Northwest Territories", NU: "Nunavut", ON: "Ontario", PE: "Prince Edward Island" },
  ...{ QC: "Quebec", SK: "Saskatchewan", YT: "Yukon" },
};

const fold = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, " ");

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([code, name]) => [
    [fold(code), code],
    [fold(name), code],
  ]),
);

/** The two-letter code of a state or province given by code or English name, in any case; null for anything else. */
export const toStateCode = (text: string): string | null => codes.get(fold(text)) ?? null;

/** English name of a two-letter code; null for a code of none. */
export const nameOfState = (code: string): string | null => (Object.hasOwn(names, code) ? (names[code] ?? null) : null);
