/*
 * Modbus peer on libmodbus, over TCP or a serial line, told what to do by lines on standard input; one line answers each.
 *
 *   libmodbus_peer server          prints `listening PORT`; then `get FC ADDRESS COUNT`, `set FC ADDRESS VALUE...`
 *   libmodbus_peer client PORT     prints `connected`; then `read FC ADDRESS COUNT`, `write FC ADDRESS VALUE...`,
 *                                  `mask ADDRESS AND OR`, `readwrite ADDRESS COUNT ADDRESS VALUE...`
 *
 *   libmodbus_peer serial-server PATH BAUD    the same as RTU slave; prints `listening 0`
 *   libmodbus_peer serial-client PATH BAUD    the same as RTU master
 *
 * Answers: `ok VALUE...`, `exception CODE`, or `failed TEXT`. Unit 1, addresses 0 to 299 in all four tables.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <modbus/modbus.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIZE 300
#define MOST 300

static int numbers[MOST];

/* Reads one command line; returns the count of numbers, or -1 at the end of input. The word is copied into `word`. */
static int next_command(char *word, size_t size)
{
    static char line[8192];
    char *token;
    int count = 0;

    if (!fgets(line, sizeof(line), stdin))
        return -1;
    token = strtok(line, " \n");
    snprintf(word, size, "%s", token ? token : "");
    while ((token = strtok(NULL, " \n")) && count < MOST)
        numbers[count++] = atoi(token);
    return count;
}

static void print_bits(const uint8_t *bits, int count)
{
    printf("ok");
    for (int i = 0; i < count; i++)
        printf(" %d", bits[i]);
    printf("\n");
}

static void print_registers(const uint16_t *registers, int count)
{
    printf("ok");
    for (int i = 0; i < count; i++)
        printf(" %d", registers[i]);
    printf("\n");
}

static void print_error(void)
{
    if (errno > MODBUS_ENOBASE && errno < MODBUS_ENOBASE + MODBUS_EXCEPTION_MAX)
        printf("exception %d\n", errno - MODBUS_ENOBASE);
    else
        printf("failed %s\n", modbus_strerror(errno));
}

static void local_command(modbus_mapping_t *map, const char *word, int count)
{
    int function = numbers[0], address = numbers[1];
    uint8_t *bits = function == 1 ? map->tab_bits : map->tab_input_bits;
    uint16_t *registers = function == 3 ? map->tab_registers : map->tab_input_registers;

    if (strcmp(word, "get") == 0) {
        if (function <= 2)
            print_bits(bits + address, numbers[2]);
        else
            print_registers(registers + address, numbers[2]);
        return;
    }
    for (int i = 2; i < count; i++) {
        if (function <= 2)
            bits[address + i - 2] = (uint8_t)numbers[i];
        else
            registers[address + i - 2] = (uint16_t)numbers[i];
    }
    printf("ok\n");
}

static int serve(void)
{
    modbus_t *context = modbus_new_tcp("127.0.0.1", 0);
    modbus_mapping_t *map = modbus_mapping_new(SIZE, SIZE, SIZE, SIZE);
    int listener = modbus_tcp_listen(context, 4);
    struct sockaddr_in address;
    socklen_t length = sizeof(address);
    fd_set sockets;
    int highest = listener;

    if (!map || listener < 0)
        return 1;
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("listening %d\n", ntohs(address.sin_port));
    FD_ZERO(&sockets);
    FD_SET(STDIN_FILENO, &sockets);
    FD_SET(listener, &sockets);
    for (;;) {
        fd_set ready = sockets;
        if (select(highest + 1, &ready, NULL, NULL, NULL) < 0)
            return 1;
        for (int fd = 0; fd <= highest; fd++) {
            if (!FD_ISSET(fd, &ready))
                continue;
            if (fd == STDIN_FILENO) {
                char word[32];
                int count = next_command(word, sizeof(word));
                if (count < 0)
                    return 0;
                local_command(map, word, count);
            } else if (fd == listener) {
                int peer = accept(listener, NULL, NULL);
                if (peer >= 0) {
                    FD_SET(peer, &sockets);
                    if (peer > highest)
                        highest = peer;
                }
            } else {
                uint8_t request[MODBUS_TCP_MAX_ADU_LENGTH];
                int size;
                modbus_set_socket(context, fd);
                size = modbus_receive(context, request);
                if (size > 0)
                    modbus_reply(context, request, size, map);
                if (size < 0) {
                    close(fd);
                    FD_CLR(fd, &sockets);
                }
            }
        }
    }
}

static int serve_line(const char *path, int baud)
{
    modbus_t *context = modbus_new_rtu(path, baud, 'N', 8, 1);
    modbus_mapping_t *map = modbus_mapping_new(SIZE, SIZE, SIZE, SIZE);
    int line;

    modbus_set_slave(context, 1);
    if (!map || modbus_connect(context) < 0) {
        print_error();
        return 1;
    }
    line = modbus_get_socket(context);
    printf("listening 0\n");
    for (;;) {
        fd_set ready;
        FD_ZERO(&ready);
        FD_SET(STDIN_FILENO, &ready);
        FD_SET(line, &ready);
        if (select(line + 1, &ready, NULL, NULL, NULL) < 0)
            return 1;
        if (FD_ISSET(STDIN_FILENO, &ready)) {
            char word[32];
            int count = next_command(word, sizeof(word));
            if (count < 0)
                return 0;
            local_command(map, word, count);
        }
        if (FD_ISSET(line, &ready)) {
            uint8_t request[MODBUS_RTU_MAX_ADU_LENGTH];
            int size = modbus_receive(context, request);
            if (size > 0)
                modbus_reply(context, request, size, map);
        }
    }
}

static int ask(modbus_t *context, const char *word, int count)
{
    uint8_t bits[MOST];
    uint16_t registers[MOST];
    int function = numbers[0], address = numbers[1];
    int done;

    if (strcmp(word, "read") == 0) {
        int quantity = numbers[2];
        switch (function) {
        case 1: done = modbus_read_bits(context, address, quantity, bits); break;
        case 2: done = modbus_read_input_bits(context, address, quantity, bits); break;
        case 3: done = modbus_read_registers(context, address, quantity, registers); break;
        default: done = modbus_read_input_registers(context, address, quantity, registers); break;
        }
        if (done < 0)
            return -1;
        if (function <= 2)
            print_bits(bits, quantity);
        else
            print_registers(registers, quantity);
        return 0;
    }
    if (strcmp(word, "mask") == 0) {
        done = modbus_mask_write_register(context, numbers[0], (uint16_t)numbers[1], (uint16_t)numbers[2]);
    } else if (strcmp(word, "readwrite") == 0) {
        for (int i = 3; i < count; i++)
            registers[i - 3] = (uint16_t)numbers[i];
        uint16_t read[MOST];
        done = modbus_write_and_read_registers(context, numbers[2], count - 3, registers, numbers[0], numbers[1], read);
        if (done >= 0) {
            print_registers(read, numbers[1]);
            return 0;
        }
    } else {
        for (int i = 2; i < count; i++) {
            bits[i - 2] = (uint8_t)numbers[i];
            registers[i - 2] = (uint16_t)numbers[i];
        }
        switch (function) {
        case 5: done = modbus_write_bit(context, address, numbers[2]); break;
        case 6: done = modbus_write_register(context, address, (uint16_t)numbers[2]); break;
        case 15: done = modbus_write_bits(context, address, count - 2, bits); break;
        default: done = modbus_write_registers(context, address, count - 2, registers); break;
        }
    }
    if (done < 0)
        return -1;
    printf("ok\n");
    return 0;
}

static int request(modbus_t *context)
{
    char word[32];
    int count;

    modbus_set_slave(context, 1);
    modbus_set_response_timeout(context, 3, 0);
    if (modbus_connect(context) < 0) {
        print_error();
        return 1;
    }
    printf("connected\n");
    while ((count = next_command(word, sizeof(word))) >= 0) {
        if (ask(context, word, count) < 0)
            print_error();
    }
    modbus_close(context);
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    if (argc == 2 && strcmp(argv[1], "server") == 0)
        return serve();
    if (argc == 3 && strcmp(argv[1], "client") == 0)
        return request(modbus_new_tcp("127.0.0.1", atoi(argv[2])));
    if (argc == 4 && strcmp(argv[1], "serial-server") == 0)
        return serve_line(argv[2], atoi(argv[3]));
    if (argc == 4 && strcmp(argv[1], "serial-client") == 0)
        return request(modbus_new_rtu(argv[2], atoi(argv[3]), 'N', 8, 1));
    fprintf(stderr, "usage: libmodbus_peer server | client PORT | serial-server PATH BAUD | serial-client PATH BAUD\n");
    return 2;
}
