/** The actions of the script format, written in one place. */

import { quote } from "./format.js";

/**
 * @param {"cluster"|"broker"|"topic"|"client"} scope
 * @param {string} name broker id, topic or client; empty for the cluster
 * @param {string} key Kafka's name
 * @param {string} value `default` takes a value back
 */
export const setAction = (scope, name, key, value) =>
  ["set", scope === "cluster" ? "" : scope, name, `${key}=${bare(value)}`]
    .filter(Boolean)
    .join(" ");

/**
 * @param {string} producer
 * @param {string} value
 * @param {{key?: string, partition?: string}} [how]
 */
export const sendAction = (producer, value, { key, partition } = {}) =>
  [
    "send",
    producer,
    quote(value),
    key ? `key=${quote(key)}` : "",
    partition ? `partition=${partition}` : "",
  ]
    .filter(Boolean)
    .join(" ");

/**
 * A value stands bare unless white space would cut it.
 * @param {string} value
 */
const bare = (value) => (/[\s"#]/.test(value) ? quote(value) : value);
